//! Programs for planes other than weighted sums, made of operations that are proved for all values.

use cain_analysis::owned::Step;
use cain_analysis::prove::Prover;
use cain_isa::operations::{OperationError, Place};
use cain_isa::{
    Bit, Bus, Cell, Direction, Directions, Displacement, Dreg, Fraction, HostController as _, Instruction, Macro, Op,
    PlaneOperation, Reg, Store, Word,
};

use super::constant::Constant;

/// Steps in order.
#[derive(Debug, Default)]
pub(super) struct Script {
    steps: Vec<Step>,
    operations: Vec<PlaneOperation>,
    error: Option<OperationError>,
}

impl Script {
    /// The steps and the operations they are made of.
    pub(super) fn into_steps(self) -> Result<(Vec<Step>, Vec<PlaneOperation>), OperationError> {
        self.error.map_or(Ok((self.steps, self.operations)), Err)
    }

    pub(super) fn push(&mut self, step: Step) {
        match (self.steps.last_mut(), step) {
            (Some(Step::Execute(listing)), Step::Execute(more)) => listing.extend(more),
            (_, step) => self.steps.push(step),
        }
    }

    pub(super) fn words(&mut self, words: impl IntoIterator<Item = Word>) {
        self.push(Step::Execute(words.into_iter().map(Instruction::Word).collect()));
    }

    fn operation(&mut self, operation: &PlaneOperation) {
        match operation.words() {
            Ok(words) => {
                self.words(words.iter().copied());
                self.operations.push(*operation);
            }
            Err(error) => self.error = self.error.or(Some(error)),
        }
    }

    /// Sets u to a constant; t is scratch. The level that is read last compensates for what is left of transfer errors.
    fn constant(&mut self, constant: Constant, ts: [Reg; 2]) {
        let (steps, _) = Self::of_constant(constant, ts, [Fraction::ZERO; 3]);
        let gain = Fraction::new(1, 1 << constant.halvings);
        let errors = errors_left(&steps, ts[0]).zip(gain).and_then(|(errors, gain)| shares(errors, gain));
        let errors = errors.unwrap_or([Fraction::ZERO; 3]);
        let (steps, error) = Self::of_constant(constant, ts, errors);
        for step in steps {
            self.push(step);
        }
        self.error = self.error.or(error);
    }

    /// The steps that set u to a constant, if that is possible; this often, transfer errors are added to the last level.
    fn of_constant(constant: Constant, [u, t]: [Reg; 2], errors: [Fraction; 3]) -> (Vec<Step>, Option<OperationError>) {
        let Constant { fine, between, level, halvings } = constant;
        let mut script = Self::default();
        let last = self::level(level, errors);
        let has_fine = fine != 0;
        let all = halvings + if has_fine { between } else { 0 };
        let (mut held, mut next) = if all % 2 == 0 { (u, t) } else { (t, u) };
        script.push(if has_fine { Step::Level(fine) } else { last.clone() });
        script.transfer(Cell::News, &[Cell::In]);
        script.transfer(held.into(), &[Cell::News]);
        for done in 0..=all {
            if has_fine && done == between {
                script.add_at(held, last.clone());
            }
            if done < all {
                script.halve(next, held);
                (held, next) = (next, held);
            }
        }
        (script.steps, script.error)
    }

    fn add_level(&mut self, x: Reg, level: i8) {
        self.add_at(x, Step::Level(level));
    }

    /// Adds the level that a step sets.
    fn add_at(&mut self, x: Reg, level: Step) {
        self.push(level);
        self.transfer(Cell::News, &[x.into(), Cell::In]);
        self.transfer(x.into(), &[Cell::News]);
    }

    fn halve(&mut self, y: Reg, x: Reg) {
        match Macro::new(Op::Divq, &[y.into(), x.into()]) {
            Ok(instruction) => self.words(Instruction::Macro(instruction).words()),
            Err(_) => self.error = self.error.or(Some(OperationError::Overwritten(x))),
        }
    }

    /// Adds a constant to a register.
    pub(super) fn add(&mut self, x: Reg, constant: Constant, ts: [Reg; 2]) {
        if constant == Constant::ZERO {
            return;
        }
        if constant.is_whole() {
            return self.add_level(x, constant.level);
        }
        self.constant(constant, ts);
        self.transfer(Cell::News, &[x.into(), ts[0].into()]);
        self.transfer(x.into(), &[Cell::News]);
    }

    /// Sets a register to 0.
    pub(super) fn clear(&mut self, x: Reg) {
        self.transfer(Cell::News, &[]);
        self.transfer(x.into(), &[Cell::News]);
    }

    fn transfer(&mut self, to: Cell, from: &[Cell]) {
        match Bus::new(&[to], from) {
            Ok(bus) => self.words([Word::from(bus)]),
            Err(error) => self.error = self.error.or(Some(error.into())),
        }
    }

    /// Sets y to x, displaced.
    pub(super) fn shift(&mut self, y: Reg, x: Reg, from: Displacement) {
        self.operation(&PlaneOperation::Shift { y, x, from });
    }

    /// Raises x to at least a constant.
    pub(super) fn at_least(&mut self, x: Reg, constant: Constant, [u, t]: [Reg; 2]) {
        match constant {
            Constant::ZERO => self.operation(&PlaneOperation::Relu { y: x, x }),
            constant if constant.is_whole() => {
                self.push(Step::Level(constant.level));
                self.operation(&PlaneOperation::AtLeastLevel { x, t: u });
            }
            constant => {
                self.constant(constant, [u, t]);
                self.operation(&PlaneOperation::MaxInPlace { x, z: u, at: Place::Here, t });
            }
        }
    }

    /// Lowers x to at most a constant.
    pub(super) fn at_most(&mut self, x: Reg, constant: Constant, [u, t]: [Reg; 2]) {
        if constant == Constant::ZERO {
            return self.operation(&PlaneOperation::AtMostZero { x });
        }
        if constant.is_whole() {
            self.push(Step::Level(-constant.level));
            return self.operation(&PlaneOperation::AtMostMinusLevel { x });
        }
        self.constant(constant, [u, t]);
        self.operation(&PlaneOperation::MinInPlace { x, z: u, at: Place::Here, t });
    }

    /// Halves negative values this many times.
    pub(super) fn leaky_relu(&mut self, x: Reg, halvings: u8, ts: [Reg; 2]) {
        self.operation(&PlaneOperation::LeakyRelu { y: x, x, ts, halvings });
    }

    pub(super) fn abs(&mut self, x: Reg, t: Reg) {
        self.operation(&PlaneOperation::AbsInPlace { x, t });
    }

    /// Sets x to the larger, or smaller, of itself and z plus a level.
    pub(super) fn extreme(&mut self, largest: bool, x: Reg, z: (Reg, Displacement), level: Constant, ts: [Reg; 2]) {
        let (z, displacement) = z;
        let [t, u] = ts;
        let (z, at) = match place(displacement) {
            Some(at) if level == Constant::ZERO && (z != x || at != Place::Here) => (z, at),
            _ => {
                self.shift(u, z, displacement);
                self.add(u, level.to_whole(), [t, t]);
                (u, Place::Here)
            }
        };
        self.operation(&if largest {
            PlaneOperation::MaxInPlace { x, z, at, t }
        } else {
            PlaneOperation::MinInPlace { x, z, at, t }
        });
    }

    /// Sets b to 1 where x is above a constant, or inverted. The register contains `errors` of transfers to one, two
    /// and three cells, for which a level compensates.
    pub(super) fn threshold(
        &mut self,
        b: Dreg,
        (x, errors): (Reg, [Fraction; 3]),
        constant: Constant,
        inverted: bool,
        [u, t]: [Reg; 2],
    ) {
        let errs = !errors.iter().all(|error| error.is_zero());
        if constant == Constant::ZERO && !errs {
            return self.operation(&PlaneOperation::Positive { b, x, inverted });
        }
        if constant.is_whole() {
            let level = -constant.level;
            self.push(self::level(level, errors.map(Fraction::negated)));
            return self.operation(&PlaneOperation::AboveMinusLevel { b, x, inverted });
        }
        self.constant(constant, [u, t]);
        self.operation(&PlaneOperation::Above { b, x, z: u, t, inverted });
    }

    /// Like [`threshold`](Self::threshold), but with a single scratch register and without errors. Overwrites x, whose
    /// distance from the constant is doubled until a level is exact enough; values that leave the range on the way stay
    /// on their side.
    pub(super) fn threshold_of_distance(&mut self, b: Dreg, x: Reg, constant: Constant, inverted: bool, t: Reg) {
        /// The number of doublings that turn the remaining half of a DN into a level.
        const MOST_DOUBLINGS: u8 = 7;
        let whole = constant.to_whole();
        if whole != Constant::ZERO {
            self.add_level(x, -whole.level);
        }
        let doublings = constant.digits().min(MOST_DOUBLINGS);
        for _ in 0..doublings {
            self.shift(t, x, Displacement::ZERO);
            self.transfer(Cell::News, &[x.into(), t.into()]);
            self.transfer(x.into(), &[Cell::News]);
        }
        let rest = (constant.value() - whole.value()) * f64::from(1_u32 << doublings);
        self.threshold(b, (x, [Fraction::ZERO; 3]), Constant::whole(rest), inverted, [t, t]);
    }

    /// Sets y to the level where the bit is 1, elsewhere to 0.
    pub(super) fn spread(&mut self, y: Reg, b: Dreg, level: i8) {
        self.push(Step::Level(level));
        self.operation(&PlaneOperation::Level { y, b: Bit::Reg(b) });
    }

    /// Adds the level to x where the bit is 1.
    pub(super) fn add_where(&mut self, x: Reg, b: Dreg, level: i8) {
        self.push(Step::Level(level));
        self.operation(&PlaneOperation::AddLevel { x, b: Bit::Reg(b) });
    }

    /// Sets x to the constant where the bit is 1, and preserves it elsewhere.
    pub(super) fn replace(&mut self, x: Reg, b: Dreg, constant: Constant, ts: [Reg; 2]) {
        let b = Bit::Reg(b);
        if constant == Constant::ZERO {
            return self.operation(&PlaneOperation::Clear { x, b });
        }
        if constant.is_whole() {
            self.push(Step::Level(constant.level));
            return self.operation(&PlaneOperation::ReplaceByLevel { x, b });
        }
        self.constant(constant, ts);
        self.operation(&PlaneOperation::Replace { x, b, z: ts[0] });
    }

    /// Sets y to x, displaced; t is scratch. All three differ.
    pub(super) fn shift_bits(&mut self, y: Dreg, x: Dreg, from: Displacement, t: Dreg) {
        let ways = directions(from);
        let mut held = x;
        for (i, &way) in ways.iter().enumerate() {
            // The last step must end in y.
            let to = if (ways.len() - i) % 2 == 1 { y } else { t };
            self.operation(&PlaneOperation::Neighbours {
                y: to,
                x: Bit::Reg(held),
                from: Directions::new(&[way]),
                outside: false,
            });
            held = to;
        }
        if ways.is_empty() {
            self.operation(&PlaneOperation::Or { y, x: Bit::Reg(x), z: Bit::Reg(x) });
        }
    }

    /// Sets y to 1 where x is 1 and z is 0; t, which is scratch, differs from all others.
    pub(super) fn bit_without(&mut self, y: Dreg, (x, z): (Dreg, Dreg), t: Dreg) {
        self.operation(&PlaneOperation::AndNot { y, x: Bit::Reg(x), z: Bit::Reg(z), t });
    }

    /// Sets y to the AND, or the OR, of two bits; the registers differ.
    pub(super) fn join_bits(&mut self, all: bool, y: Dreg, (x, z): (Dreg, Dreg), ts: [Dreg; 2]) {
        let (x, z) = (Bit::Reg(x), Bit::Reg(z));
        self.operation(&if all { PlaneOperation::And { y, x, z, ts } } else { PlaneOperation::Or { y, x, z } });
    }
}

/// Sets a level to which transfer errors are added this often.
pub(super) fn level(level: i8, errors: [Fraction; 3]) -> Step {
    let is_fixed = errors.iter().all(|error| error.is_zero());
    if is_fixed { Step::Level(level) } else { Step::Compensation { level, errors } }
}

/// How often errors have to be added to a level with this gain to take them out of a sum.
pub(super) fn shares(errors: [Fraction; 3], gain: Fraction) -> Option<[Fraction; 3]> {
    let [one, two, three] = errors.map(|count| count.negated().checked_div(gain));
    Some([one?, two?, three?])
}

/// How often a register holds the errors of transfers to one, two and three cells after these steps.
fn errors_left(steps: &[Step], reg: Reg) -> Option<[Fraction; 3]> {
    let mut prover = Prover::new(&[]);
    for step in steps {
        match step {
            Step::Execute(listing) => {
                listing.iter().flat_map(Instruction::words).try_for_each(|word| prover.issue(word)).ok()?;
            }
            _ => prover.load(Store::In, 0),
        }
    }
    prover.report().offset_error_by_destinations(reg)
}

/// The place at a displacement of at most two PEs.
fn place(displacement: Displacement) -> Option<Place> {
    match *directions(displacement).as_slice() {
        [] => Some(Place::Here),
        [first] => Some(Place::At(first)),
        [first, second] => Some(Place::Beyond(first, second)),
        _ => None,
    }
}

/// The directions of the steps to a displacement, PE by PE.
fn directions(displacement: Displacement) -> Vec<Direction> {
    let along = |distance: i16, positive: Direction| {
        let side = if distance > 0 { positive } else { positive.opposite() };
        std::iter::repeat_n(side, distance.unsigned_abs().into())
    };
    along(displacement.x, Direction::East).chain(along(displacement.y, Direction::North)).collect()
}
