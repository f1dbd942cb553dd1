//! The digital part of all PEs.

use alloc::vec;
use alloc::vec::Vec;

use super::bit_decay::BitDecay;
use super::{BitErrors, SimError};
use crate::isa::{Bit, Direction, Dreg, FromNeighbours, Logic, Operation, Path};

/// A plane of bits per digital register and for FLAG, SELECT and RECT, each in rows from the north.
#[derive(Clone, Debug)]
pub(super) struct Digital {
    pub(super) width: usize,
    pub(super) height: usize,
    registers: [Option<Vec<bool>>; Dreg::COUNT],
    /// Nothing where it is 1 in every PE.
    flag: Option<Vec<bool>>,
    /// Nothing where it is 0 in every PE.
    select: Option<Vec<bool>>,
    rect: Option<Vec<bool>>,
    /// What the first word of an instruction in place left on the digital bus; nothing for 0 in every PE.
    held: Option<Vec<bool>>,
    /// Steps since these bits were last refreshed.
    held_steps: u32,
    decay: BitDecay,
}

/// A plane that is the same in every PE, or not.
#[derive(Clone, Copy)]
pub(super) enum BitPlane<'a> {
    Same(bool),
    Each(&'a [bool]),
}

impl BitPlane<'_> {
    fn combine(self, sum: &mut [bool]) {
        match self {
            Self::Same(false) => {}
            Self::Same(true) => sum.fill(true),
            Self::Each(bits) => {
                for (sum, bit) in sum.iter_mut().zip(bits) {
                    *sum |= *bit;
                }
            }
        }
    }

    pub(super) fn get(self, pe: usize) -> bool {
        match self {
            Self::Same(bit) => bit,
            Self::Each(bits) => bits[pe],
        }
    }

    pub(super) fn to_vec(self, len: usize) -> Vec<bool> {
        match self {
            Self::Same(bit) => vec![bit; len],
            Self::Each(bits) => bits.to_vec(),
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
        }
    }

    const fn len(&self) -> usize {
        self.width.saturating_mul(self.height)
    }

    pub(super) fn read<'a>(&'a self, bit: Bit) -> Result<BitPlane<'a>, SimError> {
        let known = |plane: &'a Option<Vec<bool>>, otherwise| {
            plane.as_deref().map_or(BitPlane::Same(otherwise), BitPlane::Each)
        };
        Ok(match bit {
            Bit::Reg(register) => BitPlane::Each(self.register(register).ok_or(SimError::UnwrittenBit(bit))?),
            Bit::Flag => known(&self.flag, true),
            Bit::Select => known(&self.select, false),
            Bit::Rect => known(&self.rect, false),
        })
    }

    fn register(&self, register: Dreg) -> Option<&[bool]> {
        self.registers.get(usize::from(register.number()))?.as_deref()
    }

    /// The FLAG of every PE; nothing where it is 1 in all of them.
    pub(super) fn flags(&self) -> Option<&[bool]> {
        self.flag.as_deref()
    }

    pub(super) fn set_flags(&mut self, flags: Option<Vec<bool>>) {
        self.flag = flags;
    }

    pub(super) const fn set_errors(&mut self, errors: BitErrors) {
        self.decay.set_errors(errors);
    }

    pub(super) const fn set_seed(&mut self, seed: u64) {
        self.decay.set_seed(seed);
    }

    /// Gives a plane new values, as the controller does.
    pub(super) fn load(&mut self, bit: Bit, bits: Vec<bool>) {
        match bit {
            Bit::Reg(register) => {
                self.decay.set_steps(register, 0);
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
    pub(super) fn any(&self, bits: &[Bit]) -> Result<Vec<bool>, SimError> {
        let mut sum = vec![false; self.len()];
        for &bit in bits {
            self.read(bit)?.combine(&mut sum);
        }
        Ok(sum)
    }

    /// Carries out a word within the PEs.
    pub(super) fn logic(&mut self, word: &Logic) -> Result<(), SimError> {
        if word.path() == Path::FromBus {
            let held = self.held.take().unwrap_or_else(|| vec![false; self.len()]);
            let steps = if word.operation() == Operation::StoreRefresh { 0 } else { self.held_steps };
            return self.store(word.targets(), &held, steps);
        }
        let mut result = self.any(word.sources())?;
        if word.inverts() {
            for bit in &mut result {
                *bit = !*bit;
            }
        }
        let steps = self.decay.steps(word.sources());
        if word.path() == Path::Direct {
            return self.store(word.targets(), &result, steps);
        }
        self.held = Some(result);
        self.held_steps = steps;
        Ok(())
    }

    /// Writes registers with bits that are `steps` away from their last refresh, those with a gate only where it was 1 before
    /// the word.
    fn store(&mut self, targets: &[Dreg], bits: &[bool], steps: u32) -> Result<(), SimError> {
        let gate = match targets.iter().find_map(|target| target.gate()) {
            Some(gate) => Some(self.read(Bit::Reg(gate))?.to_vec(self.len())),
            None => None,
        };
        for &target in targets {
            let mut stored = bits.to_vec();
            if let Some(gate) = gate.as_ref().filter(|_| target.gate().is_some()) {
                let before = self.register(target).map_or(BitPlane::Same(false), BitPlane::Each);
                for (pe, (bit, open)) in stored.iter_mut().zip(gate).enumerate() {
                    *bit = if *open { *bit } else { before.get(pe) };
                }
            }
            self.load(Bit::Reg(target), stored);
            self.decay.set_steps(target, steps);
        }
        Ok(())
    }

    /// Carries out `DNEWS0` or `DNEWS1`.
    pub(super) fn read_neighbours(&mut self, word: FromNeighbours) -> Result<(), SimError> {
        let source = self.read(word.source())?.to_vec(self.len());
        let mut result = vec![false; self.len()];
        for direction in Direction::ALL {
            let BitPlane::Each(switch) = self.read(Bit::Reg(direction.switch()))? else { continue };
            if switch.contains(&true) {
                self.read_side(direction, &source, switch, word.outside(), &mut result);
            }
        }
        let steps = self.decay.steps(&[word.source()]).saturating_add(1);
        self.decay.apply(&mut result, steps);
        self.store(&[word.target()], &result, steps)
    }

    /// Adds the bits of the neighbours in that direction to those of the PEs whose switch is on.
    fn read_side(&self, side: Direction, source: &[bool], switch: &[bool], outside: bool, sum: &mut [bool]) {
        let (width, len) = (self.width, self.len());
        #[expect(clippy::needless_bitwise_bool, reason = "many at once, without branches")]
        let add = |sum: &mut [bool], switch: &[bool], seen: &[bool]| {
            for ((sum, on), seen) in sum.iter_mut().zip(switch).zip(seen) {
                *sum |= *on & *seen;
            }
        };
        let beyond = vec![outside; width];
        match side {
            Direction::North => {
                add(sum, switch, &beyond);
                add(&mut sum[width..], &switch[width..], source);
            }
            Direction::South => {
                add(sum, switch, &source[width..]);
                add(&mut sum[len - width..], &switch[len - width..], &beyond);
            }
            Direction::West | Direction::East => {
                let rows = sum.chunks_exact_mut(width).zip(switch.chunks_exact(width)).zip(source.chunks_exact(width));
                for ((sum, switch), source) in rows {
                    let (inner, edge) = if side == Direction::West { (1, 0) } else { (0, width - 1) };
                    let seen = &source[1 - inner..];
                    add(&mut sum[inner..], &switch[inner..], seen);
                    sum[edge] |= switch[edge] & outside;
                }
            }
        }
    }

    /// The PE in that direction, unless it lies outside of the array.
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
