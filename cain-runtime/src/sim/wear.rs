//! Bits that wear off.

use super::draw::{Draws, Purpose};
use crate::isa::{Bit, Dreg};

/// How bits go wrong that are passed from PE to PE without being refreshed.
///
/// That they do is documented: the vendor's shift of a digital register refreshes it after every second PE. How often is
/// not, so that the rate is a setting, 0 at first.
///
/// A register is as worn as the one that `DNEWS` has read for it, and by one step more. Logic passes on the wear of its
/// most worn source, `REFRESH` takes it away, and so does everything that writes bits of its own.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct BitErrors {
    /// The share of PEs that receive the wrong bit in each step after the free ones, 0 to 1.
    pub rate: f32,
    /// Steps without a refresh that do no harm.
    pub free_steps: u32,
}

impl BitErrors {
    /// No errors for those who refresh as the vendor's shift does, after every second step.
    #[must_use]
    pub const fn after_two_steps(rate: f32) -> Self {
        Self { rate, free_steps: 2 }
    }
}

/// How worn every register is.
#[derive(Clone, Debug, Default)]
pub(super) struct Wear {
    errors: BitErrors,
    seed: u64,
    /// Steps since the last refresh.
    steps: [u32; Dreg::COUNT],
    /// Steps of all registers together, which tell their draws apart.
    taken: u64,
}

impl Wear {
    pub(super) const fn new() -> Self {
        Self { errors: BitErrors { rate: 0.0, free_steps: 0 }, seed: 0, steps: [0; Dreg::COUNT], taken: 0 }
    }

    pub(super) const fn set_errors(&mut self, errors: BitErrors) {
        self.errors = errors;
    }

    pub(super) const fn set_seed(&mut self, seed: u64) {
        self.seed = seed;
    }

    /// How worn the most worn of these bits is. What the controller or the analogue part provides is not.
    pub(super) fn of(&self, bits: &[Bit]) -> u32 {
        let steps = bits.iter().filter_map(|bit| match bit {
            Bit::Reg(register) => self.steps.get(usize::from(register.number())).copied(),
            _ => None,
        });
        steps.max().unwrap_or(0)
    }

    pub(super) fn set(&mut self, register: Dreg, steps: u32) {
        if let Some(place) = self.steps.get_mut(usize::from(register.number())) {
            *place = steps;
        }
    }

    /// What arrives of bits that take the step of that number since their refresh.
    pub(super) fn step(&mut self, bits: &mut [bool], steps: u32) {
        if self.errors.rate <= 0.0 || steps <= self.errors.free_steps {
            return;
        }
        let draws = Draws::new(self.seed, Purpose::Bit, self.taken);
        for (pe, bit) in bits.iter_mut().enumerate() {
            *bit ^= draws.hits(pe, self.errors.rate);
        }
        self.taken += 1;
    }
}
