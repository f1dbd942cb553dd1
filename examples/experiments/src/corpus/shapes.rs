//! Random weights of several kinds.

use std::cmp::Ordering;

use crate::kernels::RandomKernels;

/// What the weights of all kernels of a case have in common.
#[derive(Clone, Copy)]
pub(super) struct Shape {
    pub(super) kind: Kind,
    pub(super) width: u32,
    pub(super) height: u32,
    /// The largest magnitude.
    most: u32,
    /// Whether some weights are negative.
    is_signed: bool,
}

/// A kind of kernels.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Kind {
    /// Nearly all weights differ from 0.
    #[default]
    Dense,
    /// Few weights differ from 0.
    Sparse,
    /// Equal, or opposite, to the east and to the west, and equal to the north and to the south.
    Symmetric,
    /// The product of a row and a column.
    Separable,
    /// 3×3 weights with gaps between them.
    Dilated,
    /// As training makes them: a slope and a mean, with normally distributed differences, rounded, and without the smallest
    /// weights.
    Trained,
}

impl Kind {
    const ALL: [Self; 6] = [Self::Dense, Self::Sparse, Self::Symmetric, Self::Separable, Self::Dilated, Self::Trained];

    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Dense => "dense",
            Self::Sparse => "sparse",
            Self::Symmetric => "symmetric",
            Self::Separable => "separable",
            Self::Dilated => "dilated",
            Self::Trained => "trained",
        }
    }
}

impl Shape {
    pub(super) fn random(random: &mut RandomKernels) -> Self {
        let kind = random.one_of(Kind::ALL);
        let side = match kind {
            Kind::Dilated => random.one_of([5, 5, 7]),
            _ => random.one_of([3, 3, 3, 5, 5, 7]),
        };
        let other = match kind {
            Kind::Dilated => side,
            // Some are longer than wide.
            _ => random.one_of([side, side, side, side, side, 1, 3]),
        };
        let (width, height) = if random.below(2) == 0 { (side, other) } else { (other, side) };
        Self { kind, width, height, most: random.one_of([1, 2, 4, 8]), is_signed: random.below(3) > 0 }
    }

    /// Weights in rows from north to south.
    pub(super) fn weights(self, random: &mut RandomKernels) -> Vec<Vec<i64>> {
        let Self { kind, width, height, .. } = self;
        match kind {
            Kind::Dense => self.rows(|_, _| self.weight(random)),
            Kind::Sparse => {
                let every = (width * height / (3 + random.below(5))).max(1);
                self.rows(|_, _| if random.below(every) == 0 { self.weight(random) } else { 0 })
            }
            Kind::Symmetric => {
                let is_odd = self.is_signed && random.below(3) == 0;
                let quarter = self.rows(|_, _| self.weight(random));
                self.rows(|x, y| {
                    let (to_east, to_north) = (x - int(width / 2), y - int(height / 2));
                    let weight = at(&quarter, to_east.abs(), to_north.abs());
                    match to_east.cmp(&0) {
                        Ordering::Greater if is_odd => -weight,
                        Ordering::Equal if is_odd && width > 1 => 0,
                        _ => weight,
                    }
                })
            }
            Kind::Separable => {
                let most = self.most.min(4);
                let mut line =
                    |length| -> Vec<i64> { (0..length).map(|_| Self { most, ..self }.weight(random)).collect() };
                let (row, column) = (line(width), line(height));
                self.rows(|x, y| at(std::slice::from_ref(&row), x, 0) * at(std::slice::from_ref(&column), y, 0))
            }
            Kind::Dilated => {
                let gap = int(width / 2);
                self.rows(|x, y| if x % gap == 0 && y % gap == 0 { self.weight(random) } else { 0 })
            }
            Kind::Trained => {
                let [mean, to_east, to_north] = [(); 3].map(|()| random.layer_weight());
                self.rows(|x, y| {
                    let slope = to_east * (x - int(width / 2)) + to_north * (y - int(height / 2));
                    let weight = (mean + slope + 2 * random.layer_weight()) / 3;
                    if weight.abs() <= 1 { 0 } else { weight }
                })
            }
        }
    }

    fn weight(self, random: &mut RandomKernels) -> i64 {
        let magnitude = i64::from(random.below(self.most + 1).max(u32::from(random.below(2) == 0)));
        if self.is_signed && random.below(3) == 0 { -magnitude } else { magnitude }
    }

    fn rows(self, mut weight: impl FnMut(i64, i64) -> i64) -> Vec<Vec<i64>> {
        (0..self.height).map(|y| (0..self.width).map(|x| weight(x.into(), y.into())).collect()).collect()
    }
}

fn int(length: u32) -> i64 {
    length.into()
}

fn at(weights: &[Vec<i64>], x: i64, y: i64) -> i64 {
    let row = usize::try_from(y).ok().and_then(|y| weights.get(y));
    row.and_then(|row| usize::try_from(x).ok().and_then(|x| row.get(x))).copied().unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::{Kind, Shape};
    use crate::kernels::RandomKernels;

    fn shape(kind: Kind, side: u32) -> Shape {
        Shape { kind, width: side, height: side, most: 8, is_signed: true }
    }

    #[test]
    fn kinds_are_what_they_are_called() {
        let mut random = RandomKernels::of_sample(1, 1);
        for _ in 0..20 {
            let dilated = shape(Kind::Dilated, 7).weights(&mut random);
            assert!(dilated[1].iter().all(|weight| *weight == 0) && dilated[0][1] == 0, "{dilated:?}");
            let separable = shape(Kind::Separable, 3).weights(&mut random);
            for (row, other) in separable.iter().zip(&separable[1..]) {
                assert_eq!(row[0] * other[1], row[1] * other[0], "{separable:?}");
            }
            let symmetric = shape(Kind::Symmetric, 5).weights(&mut random);
            assert_eq!(symmetric[0], symmetric[4]);
            assert!(symmetric.iter().all(|row| row[0].abs() == row[4].abs()), "{symmetric:?}");
        }
    }

    #[test]
    fn all_kinds_have_weights() {
        for kind in Kind::ALL {
            let mut random = RandomKernels::of_sample(1, 1);
            let filled = (0..20).filter(|_| {
                let weights = shape(kind, 5).weights(&mut random);
                weights.iter().flatten().any(|weight| *weight != 0)
            });
            assert!(filled.count() >= 18, "{kind:?}");
        }
    }
}
