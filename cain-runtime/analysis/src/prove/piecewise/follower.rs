//! Executes words on values and conditions.

use cain_isa::{Bit, Direction, Displacement, Dreg, Fraction, HostController, Reg, Store, Word};

use super::{Condition, Value};
use crate::evaluate::{AnalogueDomain, DigitalDomain, Domain, Evaluator, Source, Write};
use crate::prove::ProveError;
use crate::sorted::Set;

/// Runs programs with FLAG and bits on symbols instead of images.
///
/// Every cell and bit has some content at the beginning; FLAG is 1.
///
/// ```
/// use cain_isa::asm::{A, B, all, mov, reg, where_positive};
/// use cain_analysis::prove::{Claims, Follower, Value};
/// use cain_isa::HostController;
///
/// // B becomes A where that is larger than 0.
/// let mut follower = Follower::new();
/// for line in [where_positive(&[reg(A)]), mov(B, A), all()] {
///     follower.execute(line)?;
/// }
/// let wanted = Value::choice(cain_analysis::prove::Condition::positive(Value::of(A)), Value::of(A), Value::of(B));
/// Claims::new().value("B", follower.reg(B), wanted).check().unwrap();
/// # Ok::<(), cain_analysis::prove::ProveError>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct Follower(Evaluator<Value, Condition>);

impl Follower {
    /// The initial state of all cells and bits.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// The present value of a cell.
    #[must_use]
    pub fn value(&self, store: Store) -> Value {
        self.0.cells.get(store).cloned().unwrap_or_else(|| Value::start(store, Displacement::ZERO))
    }

    /// The present value of a register.
    #[must_use]
    pub fn reg(&self, reg: Reg) -> Value {
        self.value(Store::Reg(reg))
    }

    /// The present value of a bit.
    #[must_use]
    pub fn bit(&self, bit: Bit) -> Condition {
        self.0.bits.get(bit).cloned().unwrap_or(Condition::of(bit))
    }

    /// The analogue registers written so far.
    #[must_use]
    pub fn regs_written(&self) -> Set<Reg> {
        let reg = |store| if let Store::Reg(reg) = store { Some(reg) } else { None };
        self.0.cells.written().filter_map(reg).collect()
    }

    /// The digital registers written so far.
    #[must_use]
    pub fn dregs_written(&self) -> Set<Dreg> {
        let dreg = |bit| if let Bit::Reg(dreg) = bit { Some(dreg) } else { None };
        self.0.bits.written().filter_map(dreg).collect()
    }
}

impl HostController for Follower {
    type Error = ProveError;

    fn issue(&mut self, word: Word) -> Result<(), ProveError> {
        self.0.word(&mut Symbols, word)
    }
}

/// The domain of values and conditions in terms of the initial contents.
struct Symbols;

impl AnalogueDomain for Symbols {
    type Value = Value;
    type Flag = Condition;
    type Error = ProveError;

    fn unwritten_cell(&mut self, store: Store) -> Result<Value, ProveError> {
        Ok(Value::start(store, Displacement::ZERO))
    }

    fn transfer(&mut self, write: &Write<'_, Value>) -> Result<Value, ProveError> {
        sum(Value::offset(), write.transfer.factor(), &write.sources)
    }

    fn choose(&mut self, flag: &Condition, written: Value, before: &Value) -> Result<Value, ProveError> {
        Ok(Value::choice(flag.clone(), written, before.clone()))
    }
}

impl DigitalDomain for Symbols {
    type Plane = Condition;
    type Error = ProveError;

    fn constant(&mut self, bit: bool) -> Condition {
        Condition::Known(bit)
    }

    fn as_constant(&self, plane: &Condition) -> Option<bool> {
        if let Condition::Known(bit) = plane { Some(*bit) } else { None }
    }

    fn inverse(&mut self, plane: &Condition) -> Condition {
        plane.clone().inverse()
    }

    fn any(&mut self, planes: &[Condition]) -> Result<Condition, ProveError> {
        Ok(Condition::any(planes.iter().cloned()))
    }

    /// PEs outside of the array are not considered.
    fn neighbours(
        &mut self,
        plane: &Condition,
        direction: Direction,
        _: bool,
        _: &Condition,
    ) -> Result<Condition, ProveError> {
        plane.at(direction.displacement()).ok_or(ProveError::Overflow)
    }

    fn unwritten_bit(&mut self, bit: Bit) -> Result<Condition, ProveError> {
        Ok(Condition::of(bit))
    }

    fn unsupported(&mut self, word: Word) -> ProveError {
        ProveError::NotPiecewise(word)
    }
}

impl Domain for Symbols {
    fn positive(&mut self, sources: &[Source<'_, Value>]) -> Result<Condition, ProveError> {
        Ok(Condition::positive(sum(Value::zero(), Fraction::ONE, sources)?))
    }
}

/// Adds the sources, each times a factor, to a value.
fn sum(value: Value, factor: Fraction, sources: &[Source<'_, Value>]) -> Result<Value, ProveError> {
    let add = |sum: Value, source: &Source<'_, Value>| sum.plus(factor, &source.value.at(source.at)?);
    sources.iter().try_fold(value, add).ok_or(ProveError::Overflow)
}
