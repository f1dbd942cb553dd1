//! Measures what a program costs on the chip, function by function and frame by frame.

use alloc::string::String;
use alloc::vec::Vec;
use core::fmt;

use super::{Tally, Timing};
use crate::isa::{Clock, HostController, Instruction, Plan, Word};

/// Keeps account of the time and energy of what is sent to a controller.
///
/// Every plan has an account of its own, so that generated functions can be told apart. What is sent outside plans
/// belongs to `other words`, unless it is given a name with [`program`](Self::program). Readouts have accounts too.
///
/// ```
/// # #[cfg(feature = "sim")]
/// # fn main() -> Result<(), cain_runtime::sim::SimError> {
/// use cain_runtime::isa::{HostController, asm::*};
/// use cain_runtime::{sim::Array, trace::Meter};
///
/// let mut scamp = Meter::new(Array::scamp5());
/// for _ in 0..10 {
///     scamp.program("mean", |scamp| {
///         scamp.execute(res(A))?;
///         scamp.execute(div(B, C, A))?;
///         scamp.execute(subx(A, B, EAST, C))
///     })?;
///     scamp.end_frame();
/// }
/// let report = scamp.report();
/// assert_eq!(format!("{:.2} µs", report.expenses[0].microseconds_per_call()), "1.71 µs");
/// println!("{report}");
/// # Ok(())
/// # }
/// # #[cfg(not(feature = "sim"))]
/// # fn main() {}
/// ```
#[derive(Clone, Debug)]
pub struct Meter<H> {
    pub(super) controller: H,
    pub(super) timing: Timing,
    accounts: Vec<Account>,
    frames: u64,
    /// The account that words currently belong to.
    current: Option<Current>,
}

/// An account that words are charged to.
#[derive(Clone, Copy, Debug)]
struct Current {
    account: usize,
    /// Its words before those that will be launched together with the next one.
    before: Tally,
}

#[derive(Clone, Debug)]
struct Account {
    name: String,
    calls: u64,
    tally: Tally,
    microseconds: f64,
}

impl<H> Meter<H> {
    /// A meter with empty accounts and the timing of SCAMP-5.
    pub const fn new(controller: H) -> Self {
        Self { controller, timing: Timing::SCAMP5, accounts: Vec::new(), frames: 0, current: None }
    }

    /// The same meter with another timing, for what is sent from now on.
    #[must_use]
    pub fn timing(mut self, timing: Timing) -> Self {
        self.timing = timing;
        self
    }

    /// Charges what `run` sends to the account with this name, as one call.
    pub fn program<T, E>(&mut self, name: &str, run: impl FnOnce(&mut Self) -> Result<T, E>) -> Result<T, E> {
        let outer = self.current;
        let account = self.account(name);
        self.current = Some(Current { account, before: self.accounts[account].tally });
        let result = run(self);
        self.end_launch();
        self.current = outer;
        self.accounts[account].calls += 1;
        result
    }

    /// Charges the time of the words that were launched together to the current account. Functions of the controller
    /// end a launch.
    fn end_launch(&mut self) {
        if let Some(Current { account, before }) = &mut self.current {
            let Account { tally, microseconds, .. } = &mut self.accounts[*account];
            *microseconds += self.timing.microseconds(&tally.since(before));
            *before = *tally;
        }
    }

    /// Charges the time of a controller function to the current account, or as one call to the account with this name.
    pub(super) fn spend(&mut self, name: &str, microseconds: f64) {
        self.end_launch();
        let (account, calls) = match self.current {
            Some(Current { account, .. }) => (account, 0),
            None => (self.account(name), 1),
        };
        let account = &mut self.accounts[account];
        account.calls += calls;
        account.microseconds += microseconds;
    }

    /// Ends a frame; the report contains the cost of one frame.
    pub const fn end_frame(&mut self) {
        self.frames += 1;
    }

    /// The current state of the accounts.
    #[must_use]
    pub fn report(&self) -> Report {
        let expenses = self.accounts.iter().map(|account| Expense {
            name: account.name.clone(),
            calls: account.calls,
            tally: account.tally,
            microseconds: account.microseconds,
            microjoules: self.timing.microjoules(account.microseconds),
        });
        Report { expenses: expenses.collect(), frames: self.frames }
    }

    /// The index of an account, which is opened if it does not exist.
    fn account(&mut self, name: &str) -> usize {
        self.accounts.iter().position(|account| account.name == name).unwrap_or_else(|| {
            self.accounts.push(Account { name: name.into(), calls: 0, tally: Tally::ZERO, microseconds: 0.0 });
            self.accounts.len() - 1
        })
    }

    /// Counts words that were carried out.
    fn count(&mut self, words: impl Iterator<Item = Word>) {
        if let Some(Current { account, .. }) = self.current {
            words.for_each(|word| self.accounts[account].tally.count(&word));
        }
    }
}

impl<H: HostController> HostController for Meter<H> {
    type Error = H::Error;

    fn issue(&mut self, word: Word) -> Result<(), H::Error> {
        self.execute(Instruction::Word(word))
    }

    fn execute(&mut self, instruction: Instruction) -> Result<(), H::Error> {
        if self.current.is_none() {
            return self.program(OTHER, |meter| meter.execute(instruction));
        }
        match instruction {
            Instruction::Word(word) => self.controller.issue(word)?,
            Instruction::Macro(_) => self.controller.execute(instruction)?,
        }
        self.count(instruction.words());
        Ok(())
    }

    fn run(&mut self, plan: &Plan) -> Result<(), H::Error> {
        self.program(plan.name, |meter| {
            meter.controller.run(plan)?;
            meter.count(plan.listing.iter().flat_map(Instruction::words));
            Ok(())
        })
    }
}

/// The name of the account for words that belong to no plan and no named program.
const OTHER: &str = "other words";

/// The cost of every function and of a frame.
#[derive(Clone, Debug, PartialEq)]
pub struct Report {
    /// One entry per function, in the order of their first calls.
    pub expenses: Vec<Expense>,
    /// The number of frames that were ended.
    pub frames: u64,
}

/// The cost of one function.
#[derive(Clone, Debug, PartialEq)]
pub struct Expense {
    /// The name of the plan or program.
    pub name: String,
    /// How often it was called.
    pub calls: u64,
    /// The words of all calls together.
    pub tally: Tally,
    /// The time of all calls, in microseconds.
    pub microseconds: f64,
    /// The energy of array and board in all calls, in microjoules.
    pub microjoules: f64,
}

#[expect(clippy::cast_precision_loss, reason = "2^53 words take 54 years")]
impl Expense {
    /// The time of one call; 0 if there was none.
    #[must_use]
    pub fn microseconds_per_call(&self) -> f64 {
        self.microseconds / self.calls.max(1) as f64
    }

    /// The energy of one call, in microjoules; 0 if there was none.
    #[must_use]
    pub fn microjoules_per_call(&self) -> f64 {
        self.microjoules / self.calls.max(1) as f64
    }
}

#[expect(clippy::cast_precision_loss, reason = "2^53 words take 54 years")]
impl Report {
    /// The time of a frame, or that of everything if no frame was ended.
    #[must_use]
    pub fn microseconds_per_frame(&self) -> f64 {
        self.per_frame(|expense| expense.microseconds)
    }

    /// The energy of a frame, in microjoules, or that of everything if no frame was ended.
    #[must_use]
    pub fn microjoules_per_frame(&self) -> f64 {
        self.per_frame(|expense| expense.microjoules)
    }

    fn per_frame(&self, of: impl Fn(&Expense) -> f64) -> f64 {
        // Folding from 0.0, because the sum of nothing would be −0.0.
        self.expenses.iter().fold(0.0, |sum, expense| sum + of(expense)) / self.frames.max(1) as f64
    }

    /// The frames per second if nothing takes time except these words and the readouts for which [`Timing`] has
    /// figures: no exposure, and nothing that a host does. Infinite if nothing takes time.
    #[must_use]
    pub fn frames_per_second(&self) -> f64 {
        1e6 / self.microseconds_per_frame()
    }
}

impl fmt::Display for Report {
    /// Writes a table with a line per function and one per frame.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = self.expenses.iter().map(|expense| expense.name.chars().count()).max().unwrap_or(0).max(8);
        write!(f, "{:name$} {:>8}", "function", "calls")?;
        for clock in Clock::ALL {
            write!(f, " {:>11}", clock.name())?;
        }
        writeln!(f, " {:>10} {:>10}", "µs/call", "µJ/call")?;
        for expense in &self.expenses {
            write!(f, "{:name$} {:>8}", expense.name, expense.calls)?;
            for clock in Clock::ALL {
                write!(f, " {:>11}", expense.tally.at(clock))?;
            }
            writeln!(f, " {:>10.2} {:>10.2}", expense.microseconds_per_call(), expense.microjoules_per_call())?;
        }
        write!(
            f,
            "frame: {:.2} µs, {:.2} µJ, {:.0} frames per second",
            self.microseconds_per_frame(),
            self.microjoules_per_frame(),
            self.frames_per_second()
        )
    }
}
