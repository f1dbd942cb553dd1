//! The digital part of all PEs.

use alloc::vec;
use alloc::vec::Vec;

use super::bit_decay::BitDecay;
use super::bits::Bits;
use super::{BitErrors, SimError};
use crate::isa::{Bit, Direction, Dreg, FromNeighbours, Logic, Operation, Path};

/// The planes of bits for the digital registers and for FLAG, SELECT and RECT, each in rows from the north.
#[derive(Clone, Debug)]
pub(super) struct Digital {
    pub(super) width: usize,
    pub(super) height: usize,
    registers: [Option<Bits>; Dreg::COUNT],
    /// The plane of FLAG; `None` if it is 1 in every PE.
    flag: Option<Bits>,
    /// The plane of SELECT; `None` if it is 0 in every PE.
    select: Option<Bits>,
    rect: Option<Bits>,
    /// The bits that the first word of an in-place instruction left on the digital bus; `None` if they are 0 in every
    /// PE.
    held: Option<Bits>,
    /// The number of steps since these bits were last refreshed.
    held_steps: u32,
    decay: BitDecay,
    /// For each direction, in the order of [`Direction::ALL`], whether no PE looks there.
    closed: [bool; Direction::ALL.len()],
}

/// A plane of bits, which may be the same in every PE.
#[derive(Clone, Copy)]
pub(super) enum BitPlane<'a> {
    Same(bool),
    Each(&'a Bits),
}

impl BitPlane<'_> {
    fn combine(self, sum: &mut Bits) {
        match self {
            Self::Same(false) => {}
            Self::Same(true) => sum.fill(true),
            Self::Each(bits) => sum.or(bits),
        }
    }

    pub(super) fn is_one(self, row: usize, column: usize) -> bool {
        match self {
            Self::Same(bit) => bit,
            Self::Each(bits) => bits.is_one(row, column),
        }
    }

    /// The bits of `len` PEs, row by row.
    pub(super) fn to_vec(self, len: usize) -> Vec<bool> {
        match self {
            Self::Same(bit) => vec![bit; len],
            Self::Each(bits) => bits.iter().collect(),
        }
    }
}

impl Digital {
    pub(super) const fn new(width: usize, height: usize) -> Self {
        Self {
            width,
            height,
            registers: [const { None }; Dreg::COUNT],
            flag: None,
            select: None,
            rect: None,
            held: None,
            held_steps: 0,
            decay: BitDecay::new(),
            closed: [false; Direction::ALL.len()],
        }
    }

    /// The same bit in every PE.
    fn same(&self, bit: bool) -> Bits {
        Bits::same(self.width, self.height, bit)
    }

    pub(super) fn read<'a>(&'a self, bit: Bit) -> Result<BitPlane<'a>, SimError> {
        let known =
            |plane: &'a Option<Bits>, otherwise| plane.as_ref().map_or(BitPlane::Same(otherwise), BitPlane::Each);
        Ok(match bit {
            Bit::Reg(register) => BitPlane::Each(self.register(register).ok_or(SimError::UnwrittenBit(bit))?),
            Bit::Flag => known(&self.flag, true),
            Bit::Select => known(&self.select, false),
            Bit::Rect => known(&self.rect, false),
        })
    }

    fn register(&self, register: Dreg) -> Option<&Bits> {
        self.registers.get(usize::from(register.number()))?.as_ref()
    }

    /// The FLAG of every PE; `None` if it is 1 in all of them.
    pub(super) fn flags(&self) -> Option<&Bits> {
        self.flag.as_ref()
    }

    pub(super) fn set_flags(&mut self, flags: Option<Bits>) {
        self.flag = flags;
    }

    pub(super) const fn set_errors(&mut self, errors: BitErrors) {
        self.decay.set_errors(errors);
    }

    /// The model of bit decay.
    pub(super) const fn errors(&self) -> BitErrors {
        self.decay.errors()
    }

    pub(super) const fn set_seed(&mut self, seed: u64) {
        self.decay.set_seed(seed);
    }

    /// Writes a plane directly, as the controller does.
    pub(super) fn load(&mut self, bit: Bit, bits: Bits) {
        match bit {
            Bit::Reg(register) => {
                self.decay.set_steps(register, 0);
                if let Some(number) = Direction::ALL.iter().position(|direction| direction.switch() == register) {
                    self.closed[number] = bits.is_zero();
                }
                if let Some(plane) = self.registers.get_mut(usize::from(register.number())) {
                    *plane = Some(bits);
                }
            }
            Bit::Flag => self.flag = Some(bits),
            Bit::Select => self.select = Some(bits),
            Bit::Rect => self.rect = Some(bits),
        }
    }

    /// The OR of bits.
    pub(super) fn any(&self, bits: &[Bit]) -> Result<Bits, SimError> {
        let mut sum = self.same(false);
        for &bit in bits {
            self.read(bit)?.combine(&mut sum);
        }
        Ok(sum)
    }

    /// Carries out a word that works within PEs.
    pub(super) fn logic(&mut self, word: &Logic) -> Result<(), SimError> {
        if word.path() == Path::FromBus {
            let held = self.held.take().unwrap_or_else(|| self.same(false));
            let steps = if word.operation() == Operation::StoreRefresh { 0 } else { self.held_steps };
            return self.store(word.targets(), held, steps);
        }
        let mut result = self.any(word.sources())?;
        if word.inverts() {
            result.invert();
        }
        let steps = self.decay.steps(word.sources());
        if word.path() == Path::Direct {
            return self.store(word.targets(), result, steps);
        }
        self.held = Some(result);
        self.held_steps = steps;
        Ok(())
    }

    /// Writes bits that are `steps` steps away from their last refresh into registers; into those with a gate only
    /// where the gate was 1 before the word.
    fn store(&mut self, targets: &[Dreg], bits: Bits, steps: u32) -> Result<(), SimError> {
        let gate = match targets.iter().find_map(|target| target.gate()) {
            Some(gate) => Some(self.register(gate).ok_or(SimError::UnwrittenBit(Bit::Reg(gate)))?.clone()),
            None => None,
        };
        let mut bits = Some(bits);
        for (left, &target) in (0..targets.len()).rev().zip(targets) {
            // The last target takes the bits themselves, not a copy.
            let Some(mut stored) = (if left == 0 { bits.take() } else { bits.clone() }) else { break };
            if let Some(gate) = gate.as_ref().filter(|_| target.gate().is_some()) {
                stored.keep_where(gate, self.register(target));
            }
            self.load(Bit::Reg(target), stored);
            self.decay.set_steps(target, steps);
        }
        Ok(())
    }

    /// Carries out `DNEWS0` or `DNEWS1`.
    pub(super) fn read_neighbours(&mut self, word: FromNeighbours) -> Result<(), SimError> {
        let same;
        let source = match self.read(word.source())? {
            BitPlane::Each(bits) => bits,
            BitPlane::Same(bit) => {
                same = self.same(bit);
                &same
            }
        };
        let mut result = self.same(false);
        for (direction, is_closed) in Direction::ALL.into_iter().zip(self.closed) {
            if let BitPlane::Each(switch) = self.read(Bit::Reg(direction.switch()))?
                && !is_closed
            {
                result.add_neighbours(source, direction, switch, word.outside());
            }
        }
        let steps = self.decay.steps(&[word.source()]).saturating_add(1);
        self.decay.apply(&mut result, steps);
        self.store(&[word.target()], result, steps)
    }

    /// The PE in this direction, unless it lies outside the array.
    pub(super) fn neighbour(&self, pe: usize, direction: Direction) -> Option<usize> {
        let (row, column) = (pe / self.width, pe % self.width);
        match direction {
            Direction::North => (row > 0).then(|| pe - self.width),
            Direction::South => (row + 1 < self.height).then(|| pe + self.width),
            Direction::West => (column > 0).then(|| pe - 1),
            Direction::East => (column + 1 < self.width).then(|| pe + 1),
        }
    }
}

/// The mask of propagation, `R0`.
pub(super) const GATE: Dreg = Dreg::ALL[0];
