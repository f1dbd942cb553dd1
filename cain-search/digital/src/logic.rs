//! Boolean functions of the bits around a PE.

use std::collections::BTreeSet;

use cain_isa::Displacement;

/// A Boolean function of the bits of inputs around a PE.
///
/// ```
/// use cain_isa::Displacement;
/// use cain_digital::Logic;
///
/// // Whether most of a pixel and its neighbours in the east and in the west are white.
/// let [here, east, west] = [0, 1, -1].map(|x| Logic::pixel(0, Displacement::new(x, 0)));
/// let median = Logic::majority(vec![here, east, west]);
/// assert!(median.evaluate(&|_, _, at| at.x >= 0));
/// assert!(!median.evaluate(&|_, _, at| at.x > 0));
/// ```
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Logic {
    /// The same value in all PEs.
    Constant(bool),
    /// A bit of an input.
    Pixel {
        /// The input.
        input: usize,
        /// The bit of the input, 0 being the lowest.
        bit: u32,
        /// The displacement at which it is read.
        at: Displacement,
    },
    /// The complement.
    Not(Box<Logic>),
    /// 1 if all parts are 1.
    All(Vec<Logic>),
    /// 1 if any part is 1.
    Any(Vec<Logic>),
    /// 1 if an odd number of parts is 1.
    Odd(Vec<Logic>),
    /// 1 if the number of parts that are 1 is in a range, both ends included.
    Count {
        /// The parts that are counted.
        of: Vec<Logic>,
        /// The lower end of the range.
        least: u32,
        /// The upper end of the range.
        most: u32,
    },
}

impl Logic {
    /// The most operations and bits that a function in a declaration may have.
    pub const MAX_SIZE: usize = 2000;

    /// The lowest bit of an input.
    #[must_use]
    pub const fn pixel(input: usize, at: Displacement) -> Self {
        Self::Pixel { input, bit: 0, at }
    }

    /// 1 if more than half of the functions are 1.
    #[must_use]
    pub fn majority(of: Vec<Self>) -> Self {
        let all = u32::try_from(of.len()).unwrap_or(u32::MAX);
        Self::Count { of, least: all / 2 + 1, most: all }
    }

    /// `then` where `condition` is 1, and `otherwise` elsewhere.
    #[must_use]
    pub fn choice(condition: Self, then: Self, otherwise: Self) -> Self {
        let not = Self::Not(Box::new(condition.clone()));
        Self::Any(vec![Self::All(vec![condition, then]), Self::All(vec![not, otherwise])])
    }

    /// The function as seen at a displacement; `None` if a displacement of its bits would become too large.
    #[must_use]
    pub fn moved(&self, by: Displacement) -> Option<Self> {
        self.with_pixels(&|input, bit, at| {
            let at = Displacement::new(at.x.checked_add(by.x)?, at.y.checked_add(by.y)?);
            Some(Self::Pixel { input, bit, at })
        })
    }

    /// The function with each input bit replaced by the function that `pixel` gives for the input, the number of the
    /// bit and the displacement. `None` if `pixel` gives none for one of them.
    #[must_use]
    pub fn with_pixels(&self, pixel: &dyn Fn(usize, u32, Displacement) -> Option<Self>) -> Option<Self> {
        let list = |parts: &[Self]| parts.iter().map(|part| part.with_pixels(pixel)).collect::<Option<Vec<Self>>>();
        Some(match self {
            Self::Constant(_) => self.clone(),
            Self::Pixel { input, bit, at } => pixel(*input, *bit, *at)?,
            Self::Not(part) => Self::Not(Box::new(part.with_pixels(pixel)?)),
            Self::All(parts) => Self::All(list(parts)?),
            Self::Any(parts) => Self::Any(list(parts)?),
            Self::Odd(parts) => Self::Odd(list(parts)?),
            Self::Count { of, least, most } => Self::Count { of: list(of)?, least: *least, most: *most },
        })
    }

    /// The parts of the function.
    pub(super) fn parts(&self) -> &[Self] {
        match self {
            Self::Constant(_) | Self::Pixel { .. } => &[],
            Self::Not(part) => std::slice::from_ref(part),
            Self::All(parts) | Self::Any(parts) | Self::Odd(parts) | Self::Count { of: parts, .. } => parts,
        }
    }

    /// The number of its operations and bits.
    #[must_use]
    pub fn size(&self) -> usize {
        self.parts().iter().fold(1, |size, part| size.saturating_add(part.size()))
    }

    /// The input bits that it reads, each once: input, number of the bit and displacement.
    #[must_use]
    pub fn pixels(&self) -> BTreeSet<(usize, u32, Displacement)> {
        let mut pixels = BTreeSet::new();
        self.collect_pixels(&mut pixels);
        pixels
    }

    fn collect_pixels(&self, pixels: &mut BTreeSet<(usize, u32, Displacement)>) {
        if let Self::Pixel { input, bit, at } = *self {
            pixels.insert((input, bit, at));
        }
        self.parts().iter().for_each(|part| part.collect_pixels(pixels));
    }

    /// The value of the function, given its input bits by input, number of the bit and displacement.
    #[must_use]
    pub fn evaluate(&self, bit_of: &dyn Fn(usize, u32, Displacement) -> bool) -> bool {
        let ones = |parts: &[Self]| parts.iter().filter(|part| part.evaluate(bit_of)).count();
        match self {
            Self::Constant(value) => *value,
            Self::Pixel { input, bit, at } => bit_of(*input, *bit, *at),
            Self::Not(part) => !part.evaluate(bit_of),
            Self::All(parts) => ones(parts) == parts.len(),
            Self::Any(parts) => ones(parts) > 0,
            Self::Odd(parts) => ones(parts) % 2 == 1,
            Self::Count { of, least, most } => (*least as usize..=*most as usize).contains(&ones(of)),
        }
    }

    pub(super) fn complement(self) -> Self {
        match self {
            Self::Constant(value) => Self::Constant(!value),
            Self::Not(part) => *part,
            other => Self::Not(Box::new(other)),
        }
    }

    /// An equal function in a normal form: constants occur only at the top, [`All`](Self::All) does not occur, no
    /// complement is complemented again, and lists are sorted, flat and longer than one.
    pub(super) fn simplified(&self) -> Self {
        let list = |parts: &[Self]| parts.iter().map(Self::simplified).collect::<Vec<Self>>();
        match self {
            Self::Constant(_) | Self::Pixel { .. } => self.clone(),
            Self::Not(part) => part.simplified().complement(),
            Self::Any(parts) => any(list(parts)),
            Self::All(parts) => all(list(parts)),
            Self::Odd(parts) => odd(list(parts)),
            Self::Count { of, least, most } => count(list(of), *least, *most),
        }
    }
}

fn any(parts: Vec<Logic>) -> Logic {
    let mut flat = BTreeSet::new();
    for part in parts {
        match part {
            Logic::Constant(true) => return Logic::Constant(true),
            Logic::Constant(false) => {}
            Logic::Any(inner) => flat.extend(inner),
            other => {
                flat.insert(other);
            }
        }
    }
    if flat.iter().any(|part| flat.contains(&part.clone().complement())) {
        return Logic::Constant(true);
    }
    one_or(flat.into_iter().collect(), false, Logic::Any)
}

fn all(parts: Vec<Logic>) -> Logic {
    any(parts.into_iter().map(Logic::complement).collect()).complement()
}

/// A list reduced to its simplest form: a constant if it is empty, its only part, or the list.
fn one_or(mut parts: Vec<Logic>, empty: bool, list: impl FnOnce(Vec<Logic>) -> Logic) -> Logic {
    if parts.len() > 1 { list(parts) } else { parts.pop().unwrap_or(Logic::Constant(empty)) }
}

fn odd(parts: Vec<Logic>) -> Logic {
    let mut flat: BTreeSet<Logic> = BTreeSet::new();
    let mut is_inverted = false;
    let mut rest = parts;
    while let Some(part) = rest.pop() {
        match part {
            Logic::Constant(value) => is_inverted ^= value,
            Logic::Odd(inner) => rest.extend(inner),
            Logic::Not(part) => {
                is_inverted = !is_inverted;
                rest.push(*part);
            }
            // Two equal parts cancel each other.
            other if flat.contains(&other) => {
                flat.remove(&other);
            }
            other => {
                flat.insert(other);
            }
        }
    }
    let odd = one_or(flat.into_iter().collect(), false, Logic::Odd);
    if is_inverted { odd.complement() } else { odd }
}

fn count(parts: Vec<Logic>, least: u32, most: u32) -> Logic {
    let (ones, mut of): (Vec<Logic>, Vec<Logic>) = parts.into_iter().partition(|part| *part == Logic::Constant(true));
    of.retain(|part| *part != Logic::Constant(false));
    of.sort();
    let [given, all] = [ones.len(), of.len()].map(|number| u32::try_from(number).unwrap_or(u32::MAX));
    if most < given || least > most || least.saturating_sub(given) > all {
        return Logic::Constant(false);
    }
    let (least, most) = (least.saturating_sub(given), (most - given).min(all));
    match (least, most) {
        (0, most) if most == all => Logic::Constant(true),
        (1, most) if most == all => any(of),
        (0, 0) => any(of).complement(),
        (least, most) if least == all && most == all => self::all(of),
        (0, most) => count(of, most + 1, all).complement(),
        (least, most) => Logic::Count { of, least, most },
    }
}

#[cfg(test)]
mod tests {
    use super::Logic;
    use cain_isa::Displacement;

    fn pixels() -> [Logic; 3] {
        [0, 1, 2].map(|x| Logic::pixel(0, Displacement::new(x, 0)))
    }

    #[test]
    fn simpler_forms_are_the_same_functions() {
        let [a, b, c] = pixels();
        let not = |logic: &Logic| Logic::Not(Box::new(logic.clone()));
        let constant = Logic::Constant;
        let mut cases = vec![
            Logic::All(vec![a.clone(), not(&b), constant(true)]),
            Logic::Any(vec![a.clone(), Logic::Any(vec![b.clone(), a.clone()]), not(&c)]),
            Logic::Any(vec![a.clone(), not(&a)]),
            Logic::Odd(vec![a.clone(), not(&b), Logic::Odd(vec![a.clone(), c.clone()])]),
            Logic::Odd(vec![a.clone(), a.clone(), constant(true)]),
            Logic::choice(a.clone(), b.clone(), not(&c)),
            Logic::All(Vec::new()),
        ];
        for least in 0..6 {
            for most in 0..6 {
                let of = vec![a.clone(), b.clone(), a.clone(), constant(true), not(&c)];
                cases.push(Logic::Count { of, least, most });
            }
        }
        for case in cases {
            let simple = case.simplified();
            assert_eq!(simple.simplified(), simple, "{case:?}");
            for bits in 0..8 {
                let bit_of = |_, _, at: Displacement| bits >> at.x & 1 == 1;
                assert_eq!(case.evaluate(&bit_of), simple.evaluate(&bit_of), "{case:?}: {simple:?} for {bits:03b}");
            }
        }
    }

    #[test]
    fn moves_end_where_displacements_do() {
        let [pixel, ..] = pixels();
        let far = pixel.moved(Displacement::new(i16::MAX, 0)).unwrap();
        assert_eq!(far.moved(Displacement::new(1, 0)), None);
    }
}
