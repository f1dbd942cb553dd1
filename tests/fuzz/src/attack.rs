//! Passes many inputs to one target.

use std::collections::BTreeSet;
use std::sync::mpsc::{self, RecvTimeoutError};
use std::sync::{Arc, Mutex};
use std::time::Duration;
use std::{io, thread};

use crate::{Corpus, Dice, Target, Verdict, be_quiet, judge};

/// The stack of the thread to which inputs are passed: as large as that of a program's main thread.
const STACK: usize = 8 << 20;

/// The inputs to make.
#[derive(Clone, Copy, Debug)]
pub struct Attack {
    /// The target.
    pub target: &'static Target,
    /// The seed on which all choices depend.
    pub seed: u64,
    /// The index of the first input.
    pub first: u64,
    /// The number of inputs.
    pub count: u64,
    /// The time after which an input counts as a fault, and as the last one: a thread that hangs cannot be stopped.
    pub patience: Duration,
}

/// An input that finds a fault.
#[derive(Clone, Debug)]
pub struct Fault {
    /// The index of the input.
    pub index: u64,
    /// The input.
    pub input: Vec<u8>,
    /// The reason.
    pub reason: String,
}

/// The outcome of an attack.
#[derive(Clone, Debug, Default)]
pub struct Outcome {
    /// The number of inputs passed to the target.
    pub inputs: u64,
    /// The number of inputs that were accepted.
    pub accepted: u64,
    /// The number of inputs that found a fault.
    pub faulty: u64,
    /// The first input for each fault; faults are distinguished by their reasons, apart from the numbers in them.
    pub faults: Vec<Fault>,
}

impl Attack {
    /// The input with this index.
    #[must_use]
    pub fn input(&self, corpus: &Corpus, index: u64) -> Vec<u8> {
        (self.target.generate)(&mut Dice::new(self.target.name, self.seed, index), corpus)
    }
}

/// Passes all inputs to the target; `progress` gets the number of inputs done.
pub fn attack(attack: Attack, mut progress: impl FnMut(u64)) -> io::Result<Outcome> {
    be_quiet();
    let corpus = Arc::new(Corpus::of(attack.target.name)?);
    let outcome = Arc::new(Mutex::new(Outcome::default()));
    let (alive, signs) = mpsc::channel();
    let work = {
        let (corpus, outcome) = (Arc::clone(&corpus), Arc::clone(&outcome));
        move || {
            for index in attack.first..attack.first.saturating_add(attack.count) {
                let input = attack.input(&corpus, index);
                let verdict = judge(attack.target, &input);
                if let Ok(mut outcome) = outcome.lock() {
                    outcome.add(index, input, verdict);
                }
                // After a hang was reported, nothing receives this.
                let _ = alive.send(());
            }
        }
    };
    thread::Builder::new().stack_size(STACK).spawn(work)?;
    let mut done = 0;
    loop {
        match signs.recv_timeout(attack.patience) {
            Ok(()) => {
                done += 1;
                progress(done);
            }
            Err(RecvTimeoutError::Disconnected) => break,
            Err(RecvTimeoutError::Timeout) => {
                let index = attack.first + done;
                let reason = format!("not done after {} s", attack.patience.as_secs());
                if let Ok(mut outcome) = outcome.lock() {
                    outcome.add(index, attack.input(&corpus, index), Err(reason));
                }
                break;
            }
        }
    }
    let outcome = outcome.lock().map_err(|_| io::Error::other("the thread of the attack has died"))?;
    Ok(outcome.clone())
}

impl Outcome {
    fn add(&mut self, index: u64, input: Vec<u8>, verdict: Result<Verdict, String>) {
        self.inputs += 1;
        match verdict {
            Ok(Verdict::Accepted) => self.accepted += 1,
            Ok(Verdict::Refused) => {}
            Err(reason) => {
                self.faulty += 1;
                let known: BTreeSet<String> = self.faults.iter().map(|fault| kind(&fault.reason)).collect();
                if !known.contains(&kind(&reason)) {
                    self.faults.push(Fault { index, input, reason });
                }
            }
        }
    }
}

/// A reason without the parts that vary from input to input.
fn kind(reason: &str) -> String {
    match reason.strip_prefix("panic at ").and_then(|panic| panic.split_once(": ")) {
        Some((place, _)) => place.to_owned(),
        // Texts in quotes, or after a colon, come from the input.
        None => reason
            .split(['\'', '"', '`', ':'])
            .next()
            .map(|start| start.replace(|character: char| character.is_ascii_digit(), ""))
            .unwrap_or_default(),
    }
}
