//! Proves operations.

use alloc::string::ToString;
use core::fmt;

use cain_isa::operations::{OperationError, PlaneOperation};
use cain_isa::{Bit, Displacement, Dreg, HostController, Reg, Word};

use super::{ClaimError, Claims, Condition, Follower, ProveError, Specification};
use crate::sorted::Map;
use crate::sorted::Set;

/// The reason why an operation is not proved.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum OperationProofError {
    /// The operation has no words for its registers.
    Operation(OperationError),
    /// Its words cannot be followed.
    Word(ProveError),
    /// The operation has a wrong result.
    Claim(ClaimError),
    /// The operation overwrites an analogue register that is neither result nor scratch.
    Overwrites(Reg),
    /// The operation overwrites a digital register that is neither result nor scratch.
    OverwritesBit(Dreg),
    /// The steps of a pooling do not combine the pixels of its window.
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

/// Proves that the words of an operation leave what it [specifies](Specification::of), for all images, that they
/// leave FLAG at 1, and that they overwrite nothing else.
///
/// ```
/// use cain_analysis::prove;
/// use cain_isa::{PlaneOperation, Reg};
///
/// prove::operation(&PlaneOperation::Max { y: Reg::C, x: Reg::A, z: Reg::B }).unwrap();
/// ```
pub fn operation(operation: &PlaneOperation) -> Result<(), OperationProofError> {
    if let PlaneOperation::MaxPool { x, window, .. } = *operation {
        let joined = joined(&operation.words()?, operation.steps(), x)?;
        let is_right = joined == window.displacements().collect();
        return if is_right { Ok(()) } else { Err(OperationProofError::Window) };
    }
    let specification = Specification::of(operation).ok_or(ProveError::Overflow)?;
    specification.check(&operation.words()?)
}

impl Specification {
    /// Proves that these words, which start with FLAG at 1, have the specified results for all images, leave FLAG at 1,
    /// and overwrite nothing else. They may use NEWS as scratch.
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

/// The pixels whose maximum a register holds after these words, which must be the words of the steps.
///
/// A pooling has too many cases to be proved as a whole. Each of its steps is proved for all values.
fn joined(
    words: &[Word],
    steps: impl IntoIterator<Item = PlaneOperation>,
    x: Reg,
) -> Result<Set<Displacement>, OperationProofError> {
    let mut left = words;
    let mut joined = Map::from([(x, Set::from([Displacement::ZERO]))]);
    for step in steps {
        operation(&step)?;
        left = left.strip_prefix(&*step.words()?).ok_or(OperationProofError::Window)?;
        follow_step(&mut joined, &step).ok_or(OperationProofError::Window)?;
    }
    match (left, joined.remove(&x)) {
        ([], Some(pixels)) => Ok(pixels),
        _ => Err(OperationProofError::Window),
    }
}

/// Updates the pixels whose maximum each register holds by one step.
fn follow_step(joined: &mut Map<Reg, Set<Displacement>>, step: &PlaneOperation) -> Option<()> {
    let moved = |pixels: &Set<Displacement>, by: Displacement| {
        pixels.iter().map(|pixel| pixel.checked_add(by)).collect::<Option<Set<_>>>()
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

#[cfg(test)]
mod tests {
    use alloc::string::ToString;
    use alloc::vec::Vec;

    use super::{OperationProofError, joined, operation};
    use crate::prove::{Condition, Specification, Value};
    use crate::sorted::Set;
    use cain_isa::asm::digital::{R5, R6};
    use cain_isa::asm::{A, B, C};
    use cain_isa::operations::{Place, Window};
    use cain_isa::{Bit, Direction, Displacement, Dreg, Instruction, PlaneOperation, Word};

    fn words(lines: &[&str]) -> Vec<Word> {
        lines.iter().flat_map(|line| line.parse::<Instruction>().unwrap().words()).collect()
    }

    fn register(bit: Bit) -> Dreg {
        let Bit::Reg(register) = bit else { unreachable!() };
        register
    }

    /// The steps of a pooling of 2×2 pixels, including wrong ones.
    #[test]
    fn the_steps_of_a_pooling_join_its_pixels() {
        let step = |direction| PlaneOperation::MaxInPlace { x: A, z: A, at: Place::At(direction), t: B };
        let (east, south, west) = (step(Direction::East), step(Direction::South), step(Direction::West));
        let words_of =
            |steps: &[PlaneOperation]| steps.iter().flat_map(|step| step.words().unwrap().to_vec()).collect::<Vec<_>>();
        let pixels =
            |places: &[(i16, i16)]| Ok(places.iter().map(|&(x, y)| Displacement::new(x, y)).collect::<Set<_>>());
        let right = words_of(&[east, south]);
        assert_eq!(joined(&right, [east, south], A), pixels(&[(0, 0), (1, 0), (0, -1), (1, -1)]));
        assert_eq!(joined(&right[..right.len() / 2], [east], A), pixels(&[(0, 0), (1, 0)]));
        // The words belong to other steps, or are too many or too few.
        let wrong = Err(OperationProofError::Window);
        assert_eq!(joined(&right, [west, south], A), wrong);
        assert_eq!(joined(&right, [south, east], A), wrong);
        assert_eq!(joined(&right, [east], A), wrong);
        assert_eq!(joined(&right[..right.len() - 1], [east, south], A), wrong);
        // A value is moved too far, and a step overwrites a register that it needs itself.
        let far = PlaneOperation::Shift { y: B, x: A, from: Displacement::new(2, 0) };
        let near = PlaneOperation::MaxInPlace { x: A, z: B, at: Place::At(Direction::East), t: C };
        assert_eq!(joined(&words_of(&[far, near]), [far, near], A), pixels(&[(0, 0), (3, 0)]));
        assert_eq!(joined(&words_of(&[near]), [near], A), wrong);
        let other = PlaneOperation::MaxInPlace { x: A, z: B, at: Place::At(Direction::East), t: B };
        assert!(joined(&[], [other], A).is_err());
        let relu = PlaneOperation::Relu { y: B, x: A };
        assert_eq!(joined(&words_of(&[relu]), [relu], A), wrong);
        for size in 1..6 {
            operation(&PlaneOperation::MaxPool { x: A, t: B, window: Window { size, spacing: 1 } }).unwrap();
        }
        // The result in place of the value that is still needed.
        let error = operation(&PlaneOperation::Abs { y: A, x: A }).unwrap_err();
        assert!(matches!(error, OperationProofError::Operation(_)), "{error}");
    }

    #[test]
    fn nothing_but_what_is_told_is_overwritten() {
        let copy = || Specification {
            planes: alloc::vec![(B, Value::of(A))],
            bits: alloc::vec![(register(R5), Condition::of(R6))],
            ..Specification::default()
        };
        let lines = ["mov(B,A);", "MOV(R5,R6);"];
        let with = |line| words(&[lines[0], lines[1], line]);
        assert_eq!(copy().check(&words(&lines)), Ok(()));
        let error = copy().check(&with("res(C);")).unwrap_err();
        assert_eq!(error, OperationProofError::Overwrites(C));
        assert_eq!(error.to_string(), "register `C` is overwritten, which is not told");
        assert_eq!(Specification { scratch: alloc::vec![C], ..copy() }.check(&with("res(C);")), Ok(()));
        let error = copy().check(&with("CLR(R6);")).unwrap_err();
        assert_eq!(error, OperationProofError::OverwritesBit(register(R6)));
        assert_eq!(error.to_string(), "register `R6` is overwritten, which is not told");
        assert_eq!(
            Specification { scratch_bits: alloc::vec![register(R6)], ..copy() }.check(&with("CLR(R6);")),
            Ok(())
        );
        // FLAG, the plane and the bit are changed in turn.
        let differs = |line| copy().check(&with(line)).unwrap_err().to_string();
        assert_eq!(differs("WHERE(R6);"), "there are images for which FLAG is 0 instead of 1");
        assert_eq!(differs("neg(B,A);"), "there are images for which B is -A instead of A");
        assert_eq!(differs("NOT(R5,R6);"), "there are images for which R5 is 1 instead of 0");
        assert_eq!(
            OperationProofError::Window.to_string(),
            "the steps of the pooling do not join the pixels of its window"
        );
    }
}
