//! What the cells and bits of an array hold while a program runs, and how each content was made of others.

use cain_analysis::evaluate::{AnalogueDomain, DigitalDomain, Domain, Source, Write};
use cain_isa::{Bit, Direction, Displacement, ErrorModel, Range, Saturation, Store, Word};

use super::normal;
use super::planes::{Size, single};
use crate::maps::number;

/// A content on a tape.
pub type Id = usize;

/// A content of a cell or of a bit in every PE.
#[derive(Debug)]
pub(super) struct Node {
    pub(super) made: Made,
    /// What it is without errors; empty when nothing needs it any more.
    pub(super) exact: Vec<f32>,
    /// What it is expected to be with errors: of a bit, how likely it is 1.
    pub(super) expected: Vec<f32>,
}

/// With which values something is computed.
#[derive(Clone, Copy, Debug)]
enum Values {
    Exact,
    Expected,
}

/// How a content is made of others.
#[derive(Debug)]
pub(super) enum Made {
    /// It comes from the controller.
    Given,
    /// A word writes a cell: the sum of the sources, each at its displacement, times the factor, with the errors of a write.
    Write { store: Store, factor: f32, offset: f32, sources: Vec<(Id, Displacement)> },
    /// The same sum before anything is written, for a comparison.
    Sum(Vec<(Id, Displacement)>),
    /// The first content where the bit is 1, and the second elsewhere. Their difference changes by `slope` times the
    /// random error of what was compared for the bit.
    Chosen { flag: Id, written: Id, before: Id, slope: f32 },
    /// 1 where the sum is positive.
    Positive(Compared),
    /// 1 where the bit is 0.
    Not(Id),
    /// 1 where any of the bits is 1.
    Any(Vec<Id>),
    /// The bit of the PE at a displacement.
    Neighbour(Id, Displacement),
}

/// The sum that a comparison decides by.
#[derive(Clone, Copy, Debug)]
pub(super) struct Compared {
    pub(super) sum: Id,
    /// The standard deviation of its error.
    pub(super) deviation: f64,
}

/// The contents of cells and bits in the order in which a program makes them, with the errors of a chip.
///
/// Expected values follow the constants of the error model that all PEs share. What differs between PEs and frames is
/// random; how far it reaches a later content follows backwards from that one. A bit is as likely 1 as
/// the random errors of what is compared let it be. What is chosen by such a bit depends on these errors, too: the larger
/// of two values that noise alone tells apart is expected to be larger than both.
#[derive(Debug)]
pub struct Tape<'m> {
    pub(super) size: Size,
    pub(super) model: &'m ErrorModel,
    range: Range,
    pub(super) nodes: Vec<Node>,
    constants: [Id; 2],
    /// The PEs that count in comparisons; without them, expected values decide.
    pub(super) watched: Vec<usize>,
    /// What was compared last.
    pub(super) compared: Option<Compared>,
}

/// A word that cannot be followed.
#[derive(Debug)]
pub struct Unsupported;

impl<'m> Tape<'m> {
    /// An empty tape for an array of that size.
    #[must_use]
    pub fn new(size: Size, model: &'m ErrorModel, range: Range) -> Self {
        let mut tape =
            Self { size, model, range, nodes: Vec::new(), constants: [0; 2], watched: vec![], compared: None };
        tape.constants = [0.0, 1.0].map(|bit| tape.given(vec![bit; size.pes()]));
        tape
    }

    /// A content that is the same with errors.
    pub fn given(&mut self, values: Vec<f32>) -> Id {
        self.given_with(values.clone(), values)
    }

    /// A content without errors, and with them.
    pub fn given_with(&mut self, exact: Vec<f32>, expected: Vec<f32>) -> Id {
        self.push(Made::Given, exact, expected)
    }

    /// A level of the controller, without errors and with them.
    pub fn level(&mut self, exact: f32, expected: f32) -> Id {
        let all = |level: f32| vec![level; self.size.pes()];
        self.given_with(all(exact), all(expected))
    }

    fn push(&mut self, made: Made, exact: Vec<f32>, expected: Vec<f32>) -> Id {
        self.nodes.push(Node { made, exact, expected });
        self.nodes.len() - 1
    }

    /// A content without errors, and as it is expected to be with them.
    #[must_use]
    pub fn content(&self, id: Id) -> [&[f32]; 2] {
        [Values::Exact, Values::Expected].map(|of| self.values(id, of))
    }

    /// The sum that the last comparison decided by.
    #[must_use]
    pub fn last_compared(&self) -> Option<Id> {
        self.compared.map(|compared| compared.sum)
    }

    /// Forgets which comparison was the last one.
    pub const fn forget_compared(&mut self) {
        self.compared = None;
    }

    /// How many contents there are.
    #[must_use]
    pub const fn count(&self) -> usize {
        self.nodes.len()
    }

    /// Takes back everything but the first contents.
    pub fn truncate(&mut self, count: usize) {
        self.nodes.truncate(count);
        self.compared = None;
    }

    /// Forgets a content that nothing needs any more.
    pub fn forget(&mut self, id: Id) {
        let node = &mut self.nodes[id];
        (node.exact, node.expected) = (Vec::new(), Vec::new());
    }

    /// Forgets the exact values of what was made since `first`, but for these contents.
    pub(super) fn forget_exact(&mut self, first: Id, kept: &[Id]) {
        for (id, node) in self.nodes.iter_mut().enumerate().skip(first) {
            if !kept.contains(&id) {
                node.exact = Vec::new();
            }
        }
    }

    fn values(&self, id: Id, of: Values) -> &[f32] {
        match of {
            Values::Exact => &self.nodes[id].exact,
            Values::Expected => &self.nodes[id].expected,
        }
    }

    /// A content that is computed in the same way with both kinds of values.
    fn make(&mut self, made: Made, of: impl Fn(&Self, Values) -> Vec<f32>) -> Id {
        let [exact, expected] = [Values::Exact, Values::Expected].map(|values| of(self, values));
        self.push(made, exact, expected)
    }

    fn sum(&self, sources: &[(Id, Displacement)], of: Values) -> Vec<f32> {
        let mut sum = vec![0.0; self.size.pes()];
        for &(source, at) in sources {
            self.size.add(&mut sum, 1.0, self.values(source, of), at);
        }
        sum
    }

    /// The expected sum of contents.
    pub(super) fn expected_sum(&self, sources: &[(Id, Displacement)]) -> Vec<f32> {
        self.sum(sources, Values::Expected)
    }

    /// What was compared for a bit, and 1, or −1 if the bit is 1 where that is negative; `None` for other bits, and if it
    /// has no random errors.
    pub(super) fn compared_for(&self, flag: Id) -> Option<(Compared, f32)> {
        match self.nodes[flag].made {
            Made::Positive(compared) => Some((compared, 1.0)).filter(|_| compared.deviation > 0.0),
            Made::Not(of) => self.compared_for(of).map(|(compared, sign)| (compared, -sign)),
            _ => None,
        }
    }

    /// By how much the difference of two contents changes on the average with the random error of what is compared.
    fn slope(&self, (written, before): (Id, Id), Compared { sum, deviation }: Compared) -> f32 {
        let is_given = |id: Id| matches!(self.nodes[id].made, Made::Given);
        if is_given(written) && is_given(before) {
            return 0.0;
        }
        let signs = self.signs(&self.watched);
        let turned: Vec<f32> = signs.iter().map(|sign| -sign).collect();
        let with = |compared: &[f32]| {
            self.variance(&[(written, signs.clone()), (before, turned.clone()), (sum, compared.to_vec())])
        };
        let covariance = (with(&signs) - with(&turned)) / 4.0;
        single(covariance / (deviation * deviation * number(self.watched.len().max(1))))
    }

    /// Where values are cut off, if they stay what they are up to there: then [`held`](Self::held) takes longer.
    pub(super) fn hard_range(&self) -> Option<(f32, f32)> {
        let range = (f32::from(self.range.min), f32::from(self.range.max));
        matches!(self.model.saturation, Saturation::Hard).then_some(range)
    }

    /// What a cell holds of a value, and how much a small change of the value changes that.
    pub(super) fn held(&self, value: f32) -> (f32, f32) {
        let (min, max) = (f32::from(self.range.min), f32::from(self.range.max));
        match self.model.saturation {
            Saturation::Hard if value > max => (max, 0.0),
            Saturation::Hard if value < min => (min, 0.0),
            Saturation::None | Saturation::Hard => (value, 1.0),
            Saturation::Soft => {
                let end = if value < 0.0 { min } else { max };
                let knee = 0.75 * end;
                let beyond = (value - knee) / (end - knee);
                if beyond <= 0.0 {
                    return (value, 1.0);
                }
                let left = 1.0 / (1.0 + beyond);
                (knee + (end - knee) * beyond * left, left * left)
            }
        }
    }
}

impl AnalogueDomain for Tape<'_> {
    type Value = Id;
    type Flag = Id;
    type Error = Unsupported;

    fn unwritten_cell(&mut self, _: Store) -> Result<Id, Unsupported> {
        Ok(self.constants[0])
    }

    fn transfer(&mut self, write: &Write<'_, Id>) -> Result<Id, Unsupported> {
        let Write { transfer, sources, .. } = write;
        let (position, count) = write.place();
        let sources: Vec<(Id, Displacement)> = terms(sources);
        let exactly = single(transfer.factor().to_f64());
        let mut exact = self.sum(&sources, Values::Exact);
        for value in &mut exact {
            *value *= exactly;
        }
        let (factor, offset) = (exactly * self.model.share(position, count), self.model.offset_of(count));
        let mut expected = self.expected_sum(&sources);
        let gain = self.model.gain;
        let made = |value: f32| value * factor * gain + offset;
        match self.hard_range() {
            Some((min, max)) => {
                for value in &mut expected {
                    *value = made(*value).clamp(min, max);
                }
            }
            None => {
                for value in &mut expected {
                    *value = self.held(made(*value)).0;
                }
            }
        }
        Ok(self.push(Made::Write { store: transfer.store, factor, offset, sources }, exact, expected))
    }

    fn choose(&mut self, flag: &Id, written: Id, before: &Id) -> Result<Id, Unsupported> {
        let (flag, before) = (*flag, *before);
        let compared = self.compared_for(flag);
        let slope = compared.map_or(0.0, |(compared, _)| self.slope((written, before), compared));
        let chosen = |tape: &Self, of| -> Vec<f32> {
            let pairs = tape.values(written, of).iter().zip(tape.values(before, of));
            let choose = |(bit, (written, before)): (&f32, (&f32, &f32))| before + bit * (written - before);
            tape.values(flag, of).iter().zip(pairs).map(choose).collect()
        };
        let (exact, mut expected) = (chosen(self, Values::Exact), chosen(self, Values::Expected));
        if let Some((Compared { sum, deviation }, sign)) = compared.filter(|_| slope.abs() > 0.0) {
            let factor = f64::from(sign * slope) * deviation;
            for (value, compared) in expected.iter_mut().zip(&self.nodes[sum].expected) {
                *value += single(factor * normal::density(f64::from(*compared) / deviation));
            }
        }
        Ok(self.push(Made::Chosen { flag, written, before, slope }, exact, expected))
    }
}

impl DigitalDomain for Tape<'_> {
    type Plane = Id;
    type Error = Unsupported;

    fn constant(&mut self, bit: bool) -> Id {
        self.constants[usize::from(bit)]
    }

    fn as_constant(&self, plane: &Id) -> Option<bool> {
        self.constants.iter().position(|constant| constant == plane).map(|bit| bit == 1)
    }

    fn inverse(&mut self, plane: &Id) -> Id {
        let plane = *plane;
        match self.as_constant(&plane) {
            Some(bit) => self.constant(!bit),
            None => {
                self.make(Made::Not(plane), |tape, of| tape.values(plane, of).iter().map(|bit| 1.0 - bit).collect())
            }
        }
    }

    fn any(&mut self, planes: &[Id]) -> Result<Id, Unsupported> {
        let mut of: Vec<Id> = planes.iter().copied().filter(|plane| self.as_constant(plane) != Some(false)).collect();
        of.sort_unstable();
        of.dedup();
        match *of.as_slice() {
            [] => return Ok(self.constant(false)),
            [plane] => return Ok(plane),
            _ if of.iter().any(|plane| self.as_constant(plane) == Some(true)) => return Ok(self.constant(true)),
            _ => {}
        }
        Ok(self.make(Made::Any(of.clone()), |tape, values| {
            let mut zeros = vec![1.0; tape.size.pes()];
            for &plane in &of {
                zeros.iter_mut().zip(tape.values(plane, values)).for_each(|(zero, bit)| *zero *= 1.0 - bit);
            }
            zeros.iter().map(|zero| 1.0 - zero).collect()
        }))
    }

    fn neighbours(&mut self, plane: &Id, direction: Direction, outside: bool, _: &Id) -> Result<Id, Unsupported> {
        let (plane, at) = (*plane, direction.displacement());
        Ok(self.make(Made::Neighbour(plane, at), |tape, of| {
            let mut there = vec![0.0; tape.size.pes()];
            tape.size.add(&mut there, 1.0, tape.values(plane, of), at);
            if outside {
                let mut inside = vec![0.0; there.len()];
                tape.size.add(&mut inside, 1.0, &vec![1.0; there.len()], at);
                there.iter_mut().zip(inside).for_each(|(bit, inside)| *bit += 1.0 - inside);
            }
            there
        }))
    }

    fn unwritten_bit(&mut self, _: Bit) -> Result<Id, Unsupported> {
        Ok(self.constant(false))
    }

    fn unsupported(&mut self, _: Word) -> Unsupported {
        Unsupported
    }
}

impl Domain for Tape<'_> {
    fn positive(&mut self, sources: &[Source<'_, Id>]) -> Result<Id, Unsupported> {
        let sources = terms(sources);
        let sum = self.make(Made::Sum(sources.clone()), |tape, of| tape.sum(&sources, of));
        let deviation = if self.watched.is_empty() {
            0.0
        } else {
            (self.variance(&[(sum, self.signs(&self.watched))]) / number(self.watched.len())).sqrt()
        };
        let compared = Compared { sum, deviation };
        self.compared = Some(compared);
        // What is not known gives bits that are not known.
        let is_positive = |value: &f32| match *value {
            value if value.is_nan() => value,
            value if value > 0.0 => 1.0,
            _ => 0.0,
        };
        let likely = |value: &f32| single(normal::below(f64::from(*value) / deviation));
        let Node { exact, expected, .. } = &self.nodes[sum];
        let exact = exact.iter().map(is_positive).collect();
        let expected: Vec<f32> = if deviation > 0.0 {
            expected.iter().map(likely).collect()
        } else {
            expected.iter().map(is_positive).collect()
        };
        Ok(self.push(Made::Positive(compared), exact, expected))
    }
}

fn terms(sources: &[Source<'_, Id>]) -> Vec<(Id, Displacement)> {
    sources.iter().map(|source| (*source.value, source.at)).collect()
}
