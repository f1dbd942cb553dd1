//! Bit decay: bits that are passed from PE to PE go wrong unless they are refreshed.

use super::bits::Bits;
use super::draw::{Draws, Purpose};
use crate::isa::{Bit, Dreg};

/// A model of how bits decay when they are passed from PE to PE without being refreshed.
///
/// It is documented that they decay: the vendor's shift of a digital register refreshes it after every second PE. The
/// rate is not documented, so it is a setting, 0 by default.
///
/// Bits that `DNEWS` writes are one step further from their last refresh than those it reads. Logic operations pass on
/// the largest distance among their sources. `REFRESH` starts again from 0, and so does everything that writes new
/// bits.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct BitErrors {
    /// The share of PEs, 0 to 1, that receive the wrong bit in each step after the free ones.
    pub rate: f32,
    /// The number of steps without a refresh that do no harm.
    pub free_steps: u32,
}

impl BitErrors {
    /// Bit decay that does not affect programs which refresh after every second step, as the vendor's shift does.
    #[must_use]
    pub const fn after_two_steps(rate: f32) -> Self {
        Self { rate, free_steps: 2 }
    }
}

/// The state of decay of every digital register.
#[derive(Clone, Debug, Default)]
pub(super) struct BitDecay {
    errors: BitErrors,
    seed: u64,
    /// The number of steps since the last refresh of each register.
    steps: [u32; Dreg::COUNT],
    /// The number of draws so far; each harmful step has draws of its own.
    draws: u64,
}

impl BitDecay {
    pub(super) const fn new() -> Self {
        Self { errors: BitErrors { rate: 0.0, free_steps: 0 }, seed: 0, steps: [0; Dreg::COUNT], draws: 0 }
    }

    pub(super) const fn set_errors(&mut self, errors: BitErrors) {
        self.errors = errors;
    }

    pub(super) const fn errors(&self) -> BitErrors {
        self.errors
    }

    pub(super) const fn set_seed(&mut self, seed: u64) {
        self.seed = seed;
    }

    /// The largest number of steps since the last refresh of any of these bits. FLAG, SELECT and RECT do not decay.
    pub(super) fn steps(&self, bits: &[Bit]) -> u32 {
        let steps = bits.iter().filter_map(|bit| match bit {
            Bit::Reg(register) => self.steps.get(usize::from(register.number())).copied(),
            _ => None,
        });
        steps.max().unwrap_or(0)
    }

    pub(super) fn set_steps(&mut self, register: Dreg, steps: u32) {
        if let Some(place) = self.steps.get_mut(usize::from(register.number())) {
            *place = steps;
        }
    }

    /// Turns the bits that a PE sends into those that its neighbour receives, `steps` steps after their last refresh.
    pub(super) fn apply(&mut self, bits: &mut Bits, steps: u32) {
        if self.errors.rate <= 0.0 || steps <= self.errors.free_steps {
            return;
        }
        let draws = Draws::new(self.seed, Purpose::Bit, self.draws);
        bits.flip(|pe| draws.hits(pe, self.errors.rate));
        self.draws += 1;
    }
}
