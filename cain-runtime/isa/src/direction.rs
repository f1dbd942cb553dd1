//! The four neighbours of a processing element (PE) and displacements between PEs.

use core::fmt;
use core::ops::{Add, Neg};

/// One of the four neighbours. North is up and east is right in the displayed image.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Direction {
    /// Up.
    North,
    /// Right.
    East,
    /// Down.
    South,
    /// Left.
    West,
}

impl Direction {
    /// All four directions, clockwise from north.
    pub const ALL: [Self; 4] = [Self::North, Self::East, Self::South, Self::West];

    /// The direction of a neighbour at this position relative to the PE; `None` if none is there.
    #[must_use]
    pub fn of(displacement: Displacement) -> Option<Self> {
        Self::ALL.into_iter().find(|direction| direction.displacement() == displacement)
    }

    /// The direction that leads back.
    #[must_use]
    pub const fn opposite(self) -> Self {
        match self {
            Self::North => Self::South,
            Self::East => Self::West,
            Self::South => Self::North,
            Self::West => Self::East,
        }
    }

    /// The neighbour's position relative to the PE.
    #[must_use]
    pub const fn displacement(self) -> Displacement {
        match self {
            Self::North => Displacement::new(0, 1),
            Self::East => Displacement::new(1, 0),
            Self::South => Displacement::new(0, -1),
            Self::West => Displacement::new(-1, 0),
        }
    }

    pub(crate) const fn same(self, other: Self) -> bool {
        self as u8 == other as u8
    }

    /// The name in listings: `north`, `east`, `south`, `west`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::North => "north",
            Self::East => "east",
            Self::South => "south",
            Self::West => "west",
        }
    }
}

impl fmt::Display for Direction {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// A set of directions, as an operand of `DNEWS`: `east|west` in listings.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Directions(u8);

impl Directions {
    /// The set of these directions.
    #[must_use]
    pub const fn new(directions: &[Direction]) -> Self {
        let mut set = 0;
        let mut i = 0;
        while i < directions.len() {
            set |= 1 << directions[i] as u8;
            i += 1;
        }
        Self(set)
    }

    /// Whether the direction is in the set.
    #[must_use]
    pub const fn contains(self, direction: Direction) -> bool {
        self.0 & (1 << direction as u8) != 0
    }

    /// Parses a set as listings spell it, such as `east|west`.
    pub(crate) fn parse(text: &str) -> Option<Self> {
        let mut set = 0;
        for name in text.split('|') {
            let direction = Direction::ALL.into_iter().find(|direction| direction.name() == name.trim())?;
            set |= 1 << direction as u8;
        }
        Some(Self(set))
    }
}

impl fmt::Display for Directions {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut separator = "";
        for direction in Direction::ALL.into_iter().filter(|direction| self.contains(*direction)) {
            write!(f, "{separator}{direction}")?;
            separator = "|";
        }
        Ok(())
    }
}

/// A position relative to a PE, in PEs: `x` grows to the east, `y` to the north.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Displacement {
    /// The number of PEs to the east; negative means west.
    pub x: i16,
    /// The number of PEs to the north; negative means south.
    pub y: i16,
}

impl Displacement {
    /// The PE itself.
    pub const ZERO: Self = Self::new(0, 0);

    /// `x` PEs to the east and `y` to the north.
    #[must_use]
    pub const fn new(x: i16, y: i16) -> Self {
        Self { x, y }
    }

    /// The least number of steps between neighbours from here to there.
    #[must_use]
    pub const fn distance(self, there: Self) -> u32 {
        self.x.abs_diff(there.x) as u32 + self.y.abs_diff(there.y) as u32
    }

    /// The sum; `None` beyond ±32767 PEs.
    #[must_use]
    pub const fn checked_add(self, other: Self) -> Option<Self> {
        match (self.x.checked_add(other.x), self.y.checked_add(other.y)) {
            (Some(x), Some(y)) => Some(Self { x, y }),
            _ => None,
        }
    }
}

impl Add for Displacement {
    type Output = Self;

    fn add(self, other: Self) -> Self {
        Self::new(self.x + other.x, self.y + other.y)
    }
}

impl Neg for Displacement {
    type Output = Self;

    fn neg(self) -> Self {
        Self::new(-self.x, -self.y)
    }
}

impl fmt::Display for Displacement {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "({}, {})", self.x, self.y)
    }
}
