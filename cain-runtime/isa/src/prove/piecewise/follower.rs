//! Carrying out words on values and conditions.

use alloc::collections::{BTreeMap, BTreeSet};
use alloc::vec::Vec;

use super::{Condition, Value};
use crate::prove::ProveError;
use crate::{
    Bit, Direction, Displacement, Dreg, Fraction, FromNeighbours, HostController, Logic, Path, Reg, Store, Sum,
    Transfer, Word,
};

/// Runs programs with FLAG and bits on symbols instead of images.
///
/// Every cell and bit holds something at the beginning; FLAG is 1.
///
/// ```
/// use cain_isa::asm::{A, B, all, mov, reg, where_positive};
/// use cain_isa::prove::{Claims, Follower, Value};
/// use cain_isa::HostController;
///
/// // B becomes A where that is larger than 0.
/// let mut follower = Follower::new();
/// for line in [where_positive(&[reg(A)]), mov(B, A), all()] {
///     follower.execute(line)?;
/// }
/// let wanted = Value::choice(cain_isa::prove::Condition::positive(Value::of(A)), Value::of(A), Value::of(B));
/// Claims::new().value("B", follower.reg(B), wanted).check().unwrap();
/// # Ok::<(), cain_isa::prove::ProveError>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct Follower {
    values: BTreeMap<Store, Value>,
    bits: BTreeMap<Bit, Condition>,
    /// What the first word of an instruction in place left on the digital bus.
    held: Condition,
}

impl Follower {
    /// Cells and bits with what they hold.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// What the cell holds now.
    #[must_use]
    pub fn value(&self, store: Store) -> Value {
        self.values.get(&store).cloned().unwrap_or_else(|| Value::start(store, Displacement::ZERO))
    }

    /// What the register holds now.
    #[must_use]
    pub fn reg(&self, reg: Reg) -> Value {
        self.value(Store::Reg(reg))
    }

    /// What the bit is now.
    #[must_use]
    pub fn bit(&self, bit: Bit) -> Condition {
        self.bits.get(&bit).cloned().unwrap_or(Condition::of(bit))
    }

    /// The analogue registers written so far.
    #[must_use]
    pub fn regs_written(&self) -> BTreeSet<Reg> {
        let reg = |store: &Store| if let Store::Reg(reg) = *store { Some(reg) } else { None };
        self.values.keys().filter_map(reg).collect()
    }

    /// The digital registers written so far.
    #[must_use]
    pub fn dregs_written(&self) -> BTreeSet<Dreg> {
        let dreg = |bit: &Bit| if let Bit::Reg(dreg) = *bit { Some(dreg) } else { None };
        self.bits.keys().filter_map(dreg).collect()
    }

    fn transfer(&mut self, transfer: &Transfer) -> Option<()> {
        let mut sum = Value::offset();
        for &(store, at) in transfer.terms() {
            sum = sum.plus(transfer.factor(), &self.value(store).at(at)?)?;
        }
        let written = Value::choice(self.bit(Bit::Flag), sum, self.value(transfer.store));
        self.values.insert(transfer.store, written);
        Some(())
    }

    fn sum(&self, sum: Sum) -> Option<Value> {
        sum.terms().try_fold(Value::zero(), |total, (store, at)| total.plus(Fraction::ONE, &self.value(store).at(at)?))
    }

    fn any(&self, bits: &[Bit]) -> Condition {
        Condition::any(bits.iter().map(|&bit| self.bit(bit)))
    }

    fn logic(&mut self, word: &Logic) {
        let result = match word.path() {
            Path::FromBus => core::mem::take(&mut self.held),
            _ if word.inverts() => self.any(word.sources()).inverse(),
            _ => self.any(word.sources()),
        };
        if word.path() == Path::ToBus {
            self.held = result;
            return;
        }
        let written: Vec<_> =
            word.targets().iter().map(|&target| (target, self.gated(target, result.clone()))).collect();
        self.bits.extend(written.into_iter().map(|(target, bit)| (Bit::Reg(target), bit)));
    }

    /// What a register holds when it is written with that.
    fn gated(&self, target: Dreg, written: Condition) -> Condition {
        match target.gate() {
            Some(gate) => self.bit(gate.into()).choose(written, self.bit(target.into())),
            None => written,
        }
    }

    fn read_neighbours(&mut self, word: FromNeighbours) -> Option<()> {
        let source = self.bit(word.source());
        let mut parts = Vec::new();
        for direction in Direction::ALL {
            let switch = self.bit(direction.switch().into());
            parts.push(Condition::all([switch, source.at(direction.displacement())?]));
        }
        let written = self.gated(word.target(), Condition::any(parts));
        self.bits.insert(word.target().into(), written);
        Some(())
    }
}

impl HostController for Follower {
    type Error = ProveError;

    fn issue(&mut self, word: Word) -> Result<(), ProveError> {
        let done = match word {
            Word::Bus(bus) => bus.transfers().try_for_each(|transfer| self.transfer(&transfer)),
            Word::Where(sum) => self.sum(sum).map(|sum| {
                self.bits.insert(Bit::Flag, Condition::positive(sum));
            }),
            Word::WhereBits(bits) => {
                let any = self.any(bits.bits());
                self.bits.insert(Bit::Flag, any);
                Some(())
            }
            Word::All => {
                self.bits.insert(Bit::Flag, Condition::Known(true));
                Some(())
            }
            Word::Logic(logic) => {
                self.logic(&logic);
                Some(())
            }
            Word::FromNeighbours(word) => self.read_neighbours(word),
            Word::Nop => Some(()),
            Word::ResetPixels
            | Word::ReadPropagation
            | Word::Propagate { .. }
            | Word::PrepareBlur
            | Word::Blur(_)
            | Word::Square(_) => return Err(ProveError::NotPiecewise(word)),
        };
        done.ok_or(ProveError::Overflow)
    }
}
