//! One thing that a controller does, and those that are within it.

use core::fmt;

use super::storage::{Constant, Storage};
use super::{Area, Count, EventRead, Format, Found, Grid, Held, PlaneOf, ReadOutOf, Selection, Term};
use crate::asm::digital::{RECT, nor};
use crate::{Bit, Cells, Dreg, Fraction, Instruction, Reg, Tally, Times};

/// The control words with which the array takes a picture without amplifying it.
pub const CAPTURING: u32 = 8;

/// The value of one step in the byte that the converter reads of a sum over PEs, in DN.
pub const SUM_STEP: u32 = 4096;

/// One thing that a controller does.
#[derive(Clone, Debug, PartialEq)]
pub enum StepOf<S: Storage> {
    /// Has instructions carried out, which are launched at once.
    Execute(S::List<Instruction>),
    /// Sets the level of `IN`, in DN.
    Level(i8),
    /// Sets the level of `IN`, in DN, to `level` plus `errors` times the constant errors of transfers to one, two and three
    /// cells, which depend on the chip. Then a comparison with a value decides rightly that holds as much of these errors,
    /// with the sign turned.
    Compensation {
        /// The level without errors.
        level: i8,
        /// How often each error counts.
        errors: [Fraction; 3],
    },
    /// Programs the row and column selectors: `SELECT` is 1 in these PEs and 0 elsewhere.
    Select(Selection),
    /// Programs the rectangle: `RECT` is 1 in these PEs and 0 elsewhere.
    Region(Area),
    /// Writes 1 into the register in all PEs outside of the rectangle that a grid covers around each picture, and 0 inside.
    /// What `RECT` and `SELECT` are after that is not known.
    Outside(Dreg, Grid),
    /// Writes bits into a register, over the row and column selectors.
    Load(PlaneOf<S>),
    /// Reads a map.
    Read(ReadOutOf<S>),
    /// Lists the pixels of a map of bits that are 1.
    Events(EventRead),
    /// Reads the sum of a register over the whole array, in steps of the converter.
    Sum {
        /// The register.
        from: Reg,
        /// The place of the number.
        first: usize,
    },
    /// Takes a number that was [summed](Self::Sum) with a factor and a summand on an array whose transfers err, and brings it to the
    /// nearest whole number from −128 to 127.
    Correct {
        /// The place of the number.
        number: usize,
        /// The factor.
        factor: f64,
        /// The summand.
        summand: f64,
    },
    /// Reads exact scores out of bits, one for each class.
    Count(Count),
    /// Rounds and limits the numbers of a register in every PE, on an array whose registers hold whole numbers.
    Store(Reg, Format),
    /// Takes a picture into a register, between −128 and 127 DN; another register holds it at half of the amplification.
    Capture {
        /// The register of the picture.
        into: Reg,
        /// The other register.
        half: Reg,
    },
    /// Sets the level of `IN`, in DN, to a number of the controller, or the nearest level that there is.
    LevelOf {
        /// The place of the number.
        number: usize,
        /// A factor and a summand with which the number is taken on an array whose transfers err, if the errors of the chip for
        /// which the program was made change what the level is compared with.
        corrected: Option<(f64, f64)>,
    },
    /// Writes 1 into a register in a rectangle, and 0 elsewhere. It is given by four numbers of the controller, one after the
    /// other: its first row, first column, height and width; what is not on the array is left out.
    RegionOf {
        /// The register.
        register: Dreg,
        /// The place of the first number.
        first: usize,
    },
    /// Finds something about a bit in all PEs.
    Find {
        /// What is found.
        what: Found,
        /// The bit.
        of: Bit,
        /// The place of the first number of it.
        first: usize,
    },
    /// Computes a number of the controller.
    Compute {
        /// The place of the number.
        number: usize,
        /// What it is.
        formula: S::List<Term>,
    },
    /// Repeats steps.
    Loop {
        /// The most passes.
        most: u32,
        /// The place of the number of passes that are done.
        counter: usize,
        /// What is done before each pass, and after the last one.
        check: Body<S>,
        /// The place of a number: if it is not 0 then, there is another pass.
        goes_on: usize,
        /// What is done in each pass.
        body: Body<S>,
    },
    /// Carries out one of two lists of steps.
    Decide {
        /// The place of the number that decides.
        number: usize,
        /// The steps if it is not 0.
        then: Body<S>,
        /// The steps if it is 0.
        otherwise: Body<S>,
    },
    /// Adds numbers to a list, which has as many as there are so far in front of them; beyond its capacity they are only
    /// counted.
    Append {
        /// The place of the list.
        list: usize,
        /// How many entries there is room for.
        capacity: usize,
        /// The places of the numbers.
        numbers: S::List<usize>,
    },
}

/// The steps of a pass of a loop, or of a decision.
pub struct Body<S: Storage>(pub S::List<StepOf<S>>);

impl Body<Constant> {
    /// These steps, as constant data.
    #[must_use]
    pub const fn new(steps: &'static [Step]) -> Self {
        Self(steps)
    }
}

impl<S: Storage> Body<S> {
    /// The steps.
    #[must_use]
    pub fn steps(&self) -> &[StepOf<S>] {
        self.0.as_ref()
    }

    /// The boundaries of its pieces, at which a program may be left: one before each of them, and one at the end.
    #[must_use]
    pub fn boundaries(&self) -> usize {
        self.steps().iter().map(StepOf::pieces).sum::<usize>() + 1
    }

    /// Its words, for one picture.
    #[must_use]
    pub fn tally(&self) -> Tally {
        let mut all = Tally::ZERO;
        self.steps().iter().for_each(|step| all.add(&step.tally()));
        all
    }
}

// Derived, these would ask for what they give.
impl<S: Storage> Clone for Body<S> {
    fn clone(&self) -> Self {
        Self(self.0.clone())
    }
}

impl<S: Storage> PartialEq for Body<S> {
    fn eq(&self, other: &Self) -> bool {
        self.0 == other.0
    }
}

impl<S: Storage> fmt::Debug for Body<S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl From<&'static [Step]> for Body<Constant> {
    fn from(steps: &'static [Step]) -> Self {
        Self(steps)
    }
}

/// A step as constant data.
pub type Step = StepOf<Constant>;

/// What only the controller holds, and steps set: it is set again when a program goes on that was left for others.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Set {
    /// The level of `IN`.
    Level,
    /// The row and column selectors.
    Selectors,
    /// The rectangle.
    Rectangle,
}

impl Set {
    /// Everything that steps set.
    pub const ALL: [Self; 3] = [Self::Level, Self::Selectors, Self::Rectangle];
}

/// Kinds of steps, as the bits of a number.
#[derive(Clone, Copy, Debug)]
pub struct Kinds;

impl Kinds {
    /// [`StepOf::Execute`].
    pub const EXECUTE: u32 = 1;
    /// [`StepOf::Level`].
    pub const LEVEL: u32 = 1 << 1;
    /// [`StepOf::Compensation`].
    pub const COMPENSATION: u32 = 1 << 2;
    /// [`StepOf::Select`].
    pub const SELECT: u32 = 1 << 3;
    /// [`StepOf::Region`].
    pub const REGION: u32 = 1 << 4;
    /// [`StepOf::Outside`].
    pub const OUTSIDE: u32 = 1 << 5;
    /// [`StepOf::Load`].
    pub const LOAD: u32 = 1 << 6;
    /// [`StepOf::Read`] of pixels or sums.
    pub const READ: u32 = 1 << 7;
    /// [`StepOf::Events`].
    pub const EVENTS: u32 = 1 << 8;
    /// [`StepOf::Sum`].
    pub const SUM: u32 = 1 << 9;
    /// [`StepOf::Count`].
    pub const COUNT: u32 = 1 << 10;
    /// [`StepOf::Capture`].
    pub const CAPTURE: u32 = 1 << 11;
    /// [`StepOf::LevelOf`].
    pub const LEVEL_OF: u32 = 1 << 12;
    /// [`StepOf::RegionOf`].
    pub const REGION_OF: u32 = 1 << 13;
    /// [`StepOf::Find`].
    pub const FIND: u32 = 1 << 14;
    /// [`StepOf::Compute`].
    pub const COMPUTE: u32 = 1 << 15;
    /// [`StepOf::Loop`].
    pub const LOOP: u32 = 1 << 16;
    /// [`StepOf::Decide`].
    pub const DECIDE: u32 = 1 << 17;
    /// [`StepOf::Append`].
    pub const APPEND: u32 = 1 << 18;
    /// [`StepOf::Store`].
    pub const STORE: u32 = 1 << 19;
    /// [`StepOf::Read`] of means.
    pub const MEAN: u32 = 1 << 20;
    /// No step: the program may be left for others.
    pub const SWITCHES: u32 = 1 << 21;
    /// [`StepOf::Correct`].
    pub const CORRECT: u32 = 1 << 22;
    /// All of them.
    pub const ALL: u32 = u32::MAX;
    /// Each of them with its name.
    pub const NAMES: [(u32, &'static str); 23] = [
        (Self::EXECUTE, "EXECUTE"),
        (Self::LEVEL, "LEVEL"),
        (Self::COMPENSATION, "COMPENSATION"),
        (Self::SELECT, "SELECT"),
        (Self::REGION, "REGION"),
        (Self::OUTSIDE, "OUTSIDE"),
        (Self::LOAD, "LOAD"),
        (Self::READ, "READ"),
        (Self::EVENTS, "EVENTS"),
        (Self::SUM, "SUM"),
        (Self::COUNT, "COUNT"),
        (Self::CAPTURE, "CAPTURE"),
        (Self::LEVEL_OF, "LEVEL_OF"),
        (Self::REGION_OF, "REGION_OF"),
        (Self::FIND, "FIND"),
        (Self::COMPUTE, "COMPUTE"),
        (Self::LOOP, "LOOP"),
        (Self::DECIDE, "DECIDE"),
        (Self::APPEND, "APPEND"),
        (Self::STORE, "STORE"),
        (Self::MEAN, "MEAN"),
        (Self::SWITCHES, "SWITCHES"),
        (Self::CORRECT, "CORRECT"),
    ];
    /// Those of a preparation: they read nothing.
    pub const PREPARATION: u32 = Self::EXECUTE | Self::LEVEL | Self::SELECT | Self::REGION | Self::LOAD;
}

/// The instruction of [`StepOf::Outside`], where the selectors cover the rectangle of the only picture.
#[must_use]
pub const fn outside(register: Dreg) -> Instruction {
    nor(Bit::Reg(register), &[RECT])
}

impl<S: Storage> StepOf<S> {
    /// The instructions, of a step that has any.
    #[must_use]
    pub fn listing(&self) -> Option<&[Instruction]> {
        match self {
            Self::Execute(listing) => Some(listing.as_ref()),
            _ => None,
        }
    }

    /// Its kind, as one bit.
    #[must_use]
    pub const fn kind(&self) -> u32 {
        match self {
            Self::Execute(_) => Kinds::EXECUTE,
            Self::Level(_) => Kinds::LEVEL,
            Self::Compensation { .. } => Kinds::COMPENSATION,
            Self::Select(_) => Kinds::SELECT,
            Self::Region(_) => Kinds::REGION,
            Self::Outside(..) => Kinds::OUTSIDE,
            Self::Load(_) => Kinds::LOAD,
            Self::Read(read) => {
                if read.mean {
                    Kinds::MEAN
                } else {
                    Kinds::READ
                }
            }
            Self::Events(_) => Kinds::EVENTS,
            Self::Sum { .. } => Kinds::SUM,
            Self::Correct { .. } => Kinds::CORRECT,
            Self::Count(_) => Kinds::COUNT,
            Self::Store(..) => Kinds::STORE,
            Self::Capture { .. } => Kinds::CAPTURE,
            Self::LevelOf { .. } => Kinds::LEVEL_OF,
            Self::RegionOf { .. } => Kinds::REGION_OF,
            Self::Find { .. } => Kinds::FIND,
            Self::Compute { .. } => Kinds::COMPUTE,
            Self::Loop { .. } => Kinds::LOOP,
            Self::Decide { .. } => Kinds::DECIDE,
            Self::Append { .. } => Kinds::APPEND,
        }
    }

    /// Its kind and those of the steps within it, as bits.
    #[must_use]
    pub fn kinds(&self) -> u32 {
        self.bodies().into_iter().flatten().fold(self.kind(), |kinds, step| kinds | step.kinds())
    }

    /// The steps within it: those of a loop before each pass and in it, or both ways of a decision.
    #[must_use]
    pub fn bodies(&self) -> [&[Self]; 2] {
        match self {
            Self::Loop { check: first, body: second, .. } | Self::Decide { then: first, otherwise: second, .. } => {
                [first, second].map(Body::steps)
            }
            _ => [&[], &[]],
        }
    }

    /// How many calls of the controller it is at most: launches of words, settings and read-outs. Arithmetic is none.
    #[must_use]
    pub fn calls(&self) -> u64 {
        let of = |body: &Body<S>| body.steps().iter().map(Self::calls).fold(0, u64::saturating_add);
        match self {
            Self::Compute { .. } | Self::Correct { .. } | Self::Append { .. } => 0,
            Self::Loop { most, check, body, .. } => {
                let passes = u64::from(*most);
                of(check).saturating_mul(passes + 1).saturating_add(of(body).saturating_mul(passes))
            }
            Self::Decide { then, otherwise, .. } => of(then).max(of(otherwise)),
            _ => 1,
        }
    }

    /// How many pieces it is carried out in: its instructions, or itself. What is within a loop or a decision counts too, as far
    /// as it has [boundaries](Body::boundaries).
    #[must_use]
    pub fn pieces(&self) -> usize {
        match self {
            Self::Loop { check: one, body: other, .. } | Self::Decide { then: one, otherwise: other, .. } => {
                1 + one.boundaries() + other.boundaries()
            }
            step => step.listing().map_or(1, <[_]>::len),
        }
    }

    /// Whether it must happen only once, since the controller takes a picture, reads, computes or decides something: a program
    /// that was left never goes back beyond it.
    #[must_use]
    pub const fn happens_once(&self) -> bool {
        !matches!(
            self,
            Self::Execute(_)
                | Self::Level(_)
                | Self::LevelOf { .. }
                | Self::Compensation { .. }
                | Self::Select(_)
                | Self::Region(_)
                | Self::Outside(..)
                | Self::RegionOf { .. }
                | Self::Load(_)
        )
    }

    /// What it sets in the controller, if it does.
    #[must_use]
    pub const fn sets(&self) -> Option<Set> {
        match self {
            Self::Level(_) | Self::LevelOf { .. } | Self::Compensation { .. } => Some(Set::Level),
            Self::Select(_) => Some(Set::Selectors),
            Self::Region(_) => Some(Set::Rectangle),
            _ => None,
        }
    }

    /// What the controller reads itself.
    #[must_use]
    pub const fn reads(&self) -> Option<Cells> {
        let held = match self {
            Self::Read(read) => read.from,
            Self::Events(read) => Held::Bit(read.from),
            Self::Sum { from, .. } => Held::Reg(*from),
            Self::Count(count) => Held::Bit(Bit::Reg(count.register)),
            Self::Find { of, .. } => Held::Bit(*of),
            _ => return None,
        };
        Some(held.cells())
    }

    /// Its words, for one picture; without those of a plane that is loaded. Loops have all their passes, and decisions the
    /// longer way.
    #[must_use]
    pub fn tally(&self) -> Tally {
        match self {
            Self::Execute(listing) => listing.as_ref().iter().flat_map(Instruction::words).collect(),
            Self::Outside(register, _) | Self::RegionOf { register, .. } => outside(*register).words().collect(),
            Self::Loop { most, check, body, .. } => {
                let passes = u64::from(*most);
                let mut all = check.tally().times(passes + 1);
                all.add(&body.tally().times(passes));
                all
            }
            Self::Decide { then, otherwise, .. } => {
                let [then, otherwise] = [then, otherwise].map(Body::tally);
                if then.words() > otherwise.words() { then } else { otherwise }
            }
            _ => Tally::ZERO,
        }
    }

    /// Its time for one picture, as far as there are figures for it: that of its words, and of scans of exact scores.
    #[must_use]
    pub fn nanoseconds(&self, times: &Times) -> u64 {
        match self {
            Self::Count(count) => count.nanoseconds(),
            _ => times.of_program(&self.tally()),
        }
    }
}
