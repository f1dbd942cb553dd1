//! The proof of operations.

use alloc::collections::BTreeMap;
use alloc::collections::BTreeSet;
use alloc::string::ToString;
use core::fmt;

use super::{ClaimError, Claims, Condition, Follower, ProveError};
use crate::operations::{OperationError, PlaneOperation, Specification, Window};
use crate::{Bit, Displacement, Dreg, HostController, Reg, Word};

/// Why an operation is not proved.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum OperationProofError {
    /// It has no words for its registers.
    Operation(OperationError),
    /// Its words cannot be followed.
    Word(ProveError),
    /// It leaves something else than it should.
    Claim(ClaimError),
    /// It overwrites an analogue register that is neither result nor scratch.
    Overwrites(Reg),
    /// It overwrites a digital register that is neither result nor scratch.
    OverwritesBit(Dreg),
    /// The steps of a pooling do not join the pixels of its window.
    Window,
}

impl fmt::Display for OperationProofError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Operation(error) => error.fmt(f),
            Self::Word(error) => error.fmt(f),
            Self::Claim(error) => error.fmt(f),
            Self::Overwrites(register) => write!(f, "register `{register}` is overwritten, which is not told"),
            Self::OverwritesBit(register) => write!(f, "register `{register}` is overwritten, which is not told"),
            Self::Window => f.write_str("the steps of the pooling do not join the pixels of its window"),
        }
    }
}

impl core::error::Error for OperationProofError {}

impl From<OperationError> for OperationProofError {
    fn from(error: OperationError) -> Self {
        Self::Operation(error)
    }
}

impl From<ProveError> for OperationProofError {
    fn from(error: ProveError) -> Self {
        Self::Word(error)
    }
}

impl From<ClaimError> for OperationProofError {
    fn from(error: ClaimError) -> Self {
        Self::Claim(error)
    }
}

/// Proves that the words of an operation leave what it [specifies](PlaneOperation::specification), for all images, that they
/// leave FLAG at 1, and that they overwrite nothing else.
///
/// ```
/// use cain_isa::{PlaneOperation, Reg, prove};
///
/// prove::operation(&PlaneOperation::Max { y: Reg::C, x: Reg::A, z: Reg::B }).unwrap();
/// ```
pub fn operation(operation: &PlaneOperation) -> Result<(), OperationProofError> {
    if let PlaneOperation::MaxPool { x, window, .. } = *operation {
        return max_pool(operation, x, window);
    }
    let specification = operation.specification().ok_or(ProveError::Overflow)?;
    specification.check(&operation.words()?)
}

impl Specification {
    /// Proves that these words, which start with FLAG at 1, leave what is specified, for all images, that they leave FLAG
    /// at 1, and that they overwrite nothing else. NEWS is anybody's scratch.
    pub fn check(&self, words: &[Word]) -> Result<(), OperationProofError> {
        let mut follower = Follower::new();
        words.iter().try_for_each(|&word| follower.issue(word))?;

        let mut claims = Claims::new().bit("FLAG", follower.bit(Bit::Flag), Condition::Known(true));
        for (reg, wanted) in &self.planes {
            claims = claims.value(reg.to_string(), follower.reg(*reg), wanted.clone());
        }
        for (dreg, wanted) in &self.bits {
            claims = claims.bit(dreg.to_string(), follower.bit(Bit::Reg(*dreg)), wanted.clone());
        }
        claims.check()?;

        let told = |reg: Reg| self.scratch.contains(&reg) || self.planes.iter().any(|(result, _)| *result == reg);
        if let Some(reg) = follower.regs_written().into_iter().find(|&reg| !told(reg)) {
            return Err(OperationProofError::Overwrites(reg));
        }
        let told =
            |dreg: Dreg| self.scratch_bits.contains(&dreg) || self.bits.iter().any(|(result, _)| *result == dreg);
        match follower.dregs_written().into_iter().find(|&dreg| !told(dreg)) {
            Some(dreg) => Err(OperationProofError::OverwritesBit(dreg)),
            None => Ok(()),
        }
    }
}

/// A pooling has too many cases as a whole. Each of its steps is proved for all values, and the pixels that steps join
/// are those of the window.
fn max_pool(pool: &PlaneOperation, x: Reg, window: Window) -> Result<(), OperationProofError> {
    let mut left = pool.words()?.to_vec();
    let mut joined = BTreeMap::from([(x, BTreeSet::from([Displacement::ZERO]))]);
    for step in pool.steps() {
        operation(&step)?;
        let words = step.words()?;
        if !left.starts_with(&words) {
            return Err(OperationProofError::Window);
        }
        left.drain(..words.len());
        follow_step(&mut joined, &step).ok_or(OperationProofError::Window)?;
    }
    let wanted = window.displacements().collect();
    if left.is_empty() && joined.get(&x) == Some(&wanted) { Ok(()) } else { Err(OperationProofError::Window) }
}

/// Of which pixels registers hold the largest, after one step more.
fn follow_step(joined: &mut BTreeMap<Reg, BTreeSet<Displacement>>, step: &PlaneOperation) -> Option<()> {
    let moved = |pixels: &BTreeSet<Displacement>, by: Displacement| {
        pixels.iter().map(|pixel| pixel.checked_add(by)).collect::<Option<BTreeSet<_>>>()
    };
    match *step {
        PlaneOperation::Shift { y, x, from } => {
            let pixels = moved(joined.get(&x)?, from)?;
            joined.insert(y, pixels);
        }
        PlaneOperation::MaxInPlace { x, z, at, t } => {
            let other = moved(joined.get(&z)?, at.displacement())?;
            joined.get_mut(&x)?.extend(other);
            joined.remove(&t);
        }
        _ => return None,
    }
    Some(())
}
