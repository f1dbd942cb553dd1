//! The controller as a task sees it.

use super::Ticks;
use super::atomic::{AtomicBool, Ordering};
use crate::io::delegate::delegate;
use crate::io::{ArrayIo, IoError};
use crate::isa::{Bit, Cells, Dreg, HostController, Instruction, Kept, Plan, Reg, SwitchStep, Switches, Word};
use crate::program::PlaneIo;

/// The controller of a running task. It carries out what the task sends, and leaves the task's programs for others with
/// a higher priority where their [switch points](crate::isa::Switches) allow it.
pub struct Context<'c, H> {
    pub(super) controller: &'c mut H,
    pub(super) news: &'c AtomicBool,
    /// Whether requests also come from the clock, so that it has to be checked.
    pub(super) is_timed: bool,
    pub(super) others: &'c mut (dyn Others<H> + 'c),
    /// The cells that the task may overwrite.
    pub(super) cells: Cells,
    pub(super) task: usize,
    pub(super) away: Ticks,
    /// Whether an error occurred while the task was interrupted. Then it cannot continue.
    pub(super) is_lost: bool,
}

/// The other tasks, as seen from a running one.
pub(super) trait Others<H> {
    /// The requested task with the highest priority, if that is above `task`, with all cells that may be overwritten
    /// until it has ended, given that tasks with a still higher priority may interrupt it.
    fn wanted(&mut self, task: usize) -> Option<(usize, Cells)>;

    /// Runs a task to its end; returns how long that took.
    fn serve(&mut self, controller: &mut H, task: usize) -> Result<Ticks, <H as HostController>::Error>
    where
        H: HostController;

    /// Records an interruption of `task`.
    fn interrupted(&mut self, task: usize, away: Ticks, extra_words: u32);
}

impl<H: ArrayIo> Context<'_, H> {
    /// How long the task has been interrupted since it began: what its registers hold has aged by as much.
    #[must_use]
    pub const fn away(&self) -> Ticks {
        self.away
    }

    /// The controller itself, for what only it can do. The scheduler takes no account of what is sent to it directly.
    pub const fn controller(&mut self) -> &mut H {
        self.controller
    }

    /// A point between programs where the task may be left for others, while the `held` registers hold what it still
    /// needs.
    ///
    /// What the others would overwrite is moved to free registers of the task; if there are too few, the others wait.
    pub fn switch_point(&mut self, held: &[Reg]) -> Result<(), H::Error> {
        while self.is_requested()
            && let Some((task, cells)) = self.wanted()?
        {
            let lost = held.iter().copied().filter(|&reg| cells.contains(Cells::register(reg)));
            let is_free = |reg: &Reg| !held.contains(reg) && !cells.contains(Cells::register(*reg));
            let free = self.cells.analogue();
            let kept = lost.clone().zip(free.iter().filter(is_free));
            let kept = kept.map(|(home, register)| Kept { home: Some(home), register });
            if kept.clone().count() < lost.count() {
                self.look_again();
                break;
            }
            let extra = 2 * kept.clone().map(|_| 1).sum::<u32>();
            let (leaving, returning) = (kept.clone().map(|kept| kept.save()), kept.map(|kept| kept.restore()));
            self.serve(task, cells, leaving.map(SwitchStep::Word), returning.map(SwitchStep::Word), extra)?;
        }
        Ok(())
    }

    /// Neither a request nor what it refers to is loaded here, so no ordering is needed.
    #[inline]
    fn is_requested(&self) -> bool {
        self.news.load(Ordering::Relaxed) || self.is_timed
    }

    /// Notes that there is a request that cannot be served here.
    fn look_again(&self) {
        self.news.store(true, Ordering::Relaxed);
    }

    fn wanted(&mut self) -> Result<Option<(usize, Cells)>, IoError> {
        if self.is_lost { Err(IoError::Lost) } else { Ok(self.others.wanted(self.task)) }
    }

    /// Leaves the program for the wanted task, if that task may run here.
    #[cold]
    fn leave(&mut self, switches: &[Switches<'_>], at: u32) -> Result<Option<u32>, H::Error> {
        let Some((task, cells)) = self.wanted()? else { return Ok(None) };
        let mut tables = switches.iter().filter(|table| table.others.contains(cells));
        let Some((others, point)) = tables.find_map(|table| Some((table.others, table.point(at)?))) else {
            self.look_again();
            return Ok(None);
        };
        self.serve(task, others, point.leaving(), point.returning(), point.extra)?;
        Ok(Some(point.resume))
    }

    /// Runs another task, with what makes room for it before and after it, and then all other requested tasks for which
    /// there is room as well.
    fn serve(
        &mut self,
        task: usize,
        room: Cells,
        mut leaving: impl Iterator<Item = SwitchStep>,
        mut returning: impl Iterator<Item = SwitchStep>,
        extra: u32,
    ) -> Result<(), H::Error> {
        self.is_lost = true;
        leaving.try_for_each(|step| self.carry_out(step))?;
        let mut away: Ticks = 0;
        let mut next = Some(task);
        while let Some(task) = next {
            away = away.wrapping_add(self.others.serve(self.controller, task)?);
            // While that task ran, `news` was cleared only for the tasks above it. Requests for tasks below it are
            // found here.
            next = match self.others.wanted(self.task) {
                Some((task, cells)) if room.contains(cells) => Some(task),
                Some(_) => {
                    self.look_again();
                    None
                }
                None => None,
            };
        }
        returning.try_for_each(|step| self.carry_out(step))?;
        self.is_lost = false;
        self.away = self.away.wrapping_add(away);
        self.others.interrupted(self.task, away, extra);
        Ok(())
    }

    fn carry_out(&mut self, step: SwitchStep) -> Result<(), H::Error> {
        match step {
            SwitchStep::Word(word) => self.issue(word),
            SwitchStep::Level(level) => self.set_level(level),
        }
    }

    /// Checks that everything that a word writes has been declared.
    fn check(&self, word: Word) -> Result<(), IoError> {
        self.check_written(word.effect(true).written())
    }

    /// Checks that written cells have been declared: writing others would destroy what other tasks hold. Like overflow,
    /// this is checked with debug assertions.
    fn check_written(&self, written: Cells) -> Result<(), IoError> {
        // All tasks may use FLAG and NEWS.
        let foreign = written.without(self.cells.union(Cells::NEWS).union(Cells::FLAG));
        if let Some(reg) = foreign.analogue().iter().next() {
            return Err(IoError::Foreign(reg));
        }
        if let Some(Bit::Reg(register)) = foreign.bits().next() {
            return Err(IoError::ForeignBit(register));
        }
        Ok(())
    }
}

impl<H: ArrayIo> HostController for Context<'_, H> {
    type Error = H::Error;

    fn issue(&mut self, word: Word) -> Result<(), H::Error> {
        if cfg!(debug_assertions) {
            self.check(word)?;
        }
        self.controller.issue(word)
    }

    /// Carries out a plan, which may be interrupted if it has [switch points](Plan::switches).
    fn run(&mut self, plan: &Plan) -> Result<(), H::Error> {
        if cfg!(debug_assertions) {
            plan.listing.iter().flat_map(Instruction::words).try_for_each(|word| self.check(word))?;
        }
        if plan.switches.is_empty() {
            return self.controller.run(plan);
        }
        let mut at = 0;
        loop {
            if let Some(resume) = self.boundary(plan.switches, at)? {
                at = resume;
                continue;
            }
            let Some(&instruction) = plan.listing.get(at as usize) else { return Ok(()) };
            self.controller.execute(instruction)?;
            at += 1;
        }
    }
}

impl<H: PlaneIo> PlaneIo for Context<'_, H> {
    fn give_levels(&mut self, register: Reg, levels: &[i8]) -> Result<(), H::Error> {
        if cfg!(debug_assertions) {
            self.check_written(Cells::register(register))?;
        }
        self.controller.give_levels(register, levels)
    }

    fn give_bits(&mut self, bit: Bit, bits: &[bool]) -> Result<(), H::Error> {
        if cfg!(debug_assertions) {
            self.check_written(Cells::bit(bit))?;
        }
        self.controller.give_bits(bit, bits)
    }
}

impl<H: ArrayIo> ArrayIo for Context<'_, H> {
    delegate!(reading this => this.controller);

    fn estimate_count(&mut self, register: Dreg, scratch: Reg) -> Result<u16, H::Error> {
        if cfg!(debug_assertions) {
            self.check_written(Cells::register(scratch))?;
        }
        self.controller.estimate_count(register, scratch)
    }

    /// If there are no requests, this is a load and a branch, or two of each if the clock makes requests.
    #[inline]
    fn boundary(&mut self, switches: &[Switches<'_>], at: u32) -> Result<Option<u32>, H::Error> {
        if self.is_requested() { self.leave(switches, at) } else { Ok(None) }
    }

    fn wait_for_frame(&mut self) -> Result<(), H::Error> {
        self.controller.wait_for_frame()
    }
}
