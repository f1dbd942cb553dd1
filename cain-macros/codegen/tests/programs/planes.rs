//! Planes in plain Rust. Rows are counted from the north, columns from the west.

use cain_isa::random::SplitMix64;

pub(crate) const HEIGHT: i64 = 12;
pub(crate) const WIDTH: i64 = 16;

/// A value for each PE.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Plane<T> {
    pub(crate) height: i64,
    pub(crate) width: i64,
    pub(crate) values: Vec<T>,
}

pub(crate) type Levels = Plane<f64>;
pub(crate) type Bits = Plane<bool>;

/// A plane of the usual size.
pub(crate) fn plane<T>(value: impl Fn(i64, i64) -> T) -> Plane<T> {
    Plane::of(HEIGHT, WIDTH, value)
}

impl<T: Copy> Plane<T> {
    /// The value in a row and a column; nothing outside of the array.
    pub(crate) fn get(&self, row: i64, column: i64) -> Option<T> {
        let is_inside = (0..self.height).contains(&row) && (0..self.width).contains(&column);
        is_inside.then(|| self.values[usize::try_from(row * self.width + column).unwrap()])
    }

    /// The value in a PE of the array.
    pub(crate) fn here(&self, row: i64, column: i64) -> T {
        self.get(row, column).unwrap()
    }

    pub(crate) fn map<U>(&self, value: impl Fn(T) -> U) -> Plane<U> {
        Plane { height: self.height, width: self.width, values: self.values.iter().map(|of| value(*of)).collect() }
    }

    /// A value of each two.
    pub(crate) fn with<U: Copy, V>(&self, other: &Plane<U>, value: impl Fn(T, U) -> V) -> Plane<V> {
        let values = self.values.iter().zip(&other.values).map(|(one, other)| value(*one, *other)).collect();
        Plane { height: self.height, width: self.width, values }
    }
}

impl<T> Plane<T> {
    pub(crate) fn of(height: i64, width: i64, value: impl Fn(i64, i64) -> T) -> Self {
        let values = (0..height).flat_map(|row| (0..width).map(move |column| (row, column)));
        Self { height, width, values: values.map(|(row, column)| value(row, column)).collect() }
    }
}

impl Bits {
    /// The bit in a row and a column; 0 outside of the array.
    pub(crate) fn bit(&self, row: i64, column: i64) -> bool {
        self.get(row, column).unwrap_or(false)
    }

    /// The places of the bits that are 1.
    pub(crate) fn ones(&self) -> Vec<(i64, i64)> {
        let places = (0..self.height).flat_map(|row| (0..self.width).map(move |column| (row, column)));
        places.filter(|(row, column)| self.bit(*row, *column)).collect()
    }

    pub(crate) fn count(&self) -> i64 {
        i64::try_from(self.ones().len()).unwrap()
    }

    /// First row and column, last row and column.
    pub(crate) fn bounds(&self) -> Vec<i64> {
        let ones = self.ones();
        let rows = || ones.iter().map(|(row, _)| *row);
        let columns = || ones.iter().map(|(_, column)| *column);
        [rows().min(), columns().min(), rows().max(), columns().max()].map(Option::unwrap_or_default).to_vec()
    }
}

/// Pictures of whole levels from −100 to 100.
pub(crate) fn pictures(seed: u64, count: usize) -> Vec<Levels> {
    let mut random = SplitMix64::new(seed);
    let mut level = move || random.below(201) as f64 - 100.0;
    (0..count)
        .map(|_| Plane { height: HEIGHT, width: WIDTH, values: (0..HEIGHT * WIDTH).map(|_| level()).collect() })
        .collect()
}

/// Pictures with bright things: each PE is as most of those around it were in a random picture.
pub(crate) fn blobs(seed: u64, count: usize) -> Vec<Levels> {
    let smooth = |picture: &Levels| {
        plane(|row, column| {
            let around = (-1..=1).flat_map(|y| (-1..=1).map(move |x| (y, x)));
            let bright =
                around.filter(|(y, x)| picture.get(row + y, column + x).is_some_and(|level| level > 0.0)).count();
            if bright > 4 { 90.0 } else { -60.0 }
        })
    };
    pictures(seed, count).iter().map(smooth).collect()
}
