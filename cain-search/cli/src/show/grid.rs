//! Shows values as matrices of weights around the PE.

use std::fmt;

use cain_analysis::prove::{Atom, Polynomial};
use cain_isa::{Displacement, Fraction};

/// The most rows and columns of a matrix that is drawn; the largest kernels have fewer than half as many.
const MOST_CELLS: i32 = 40;

/// The places that a matrix shows, including the PE itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Window {
    /// The columns, from west to east.
    columns: (i16, i16),
    /// The rows, from south to north.
    rows: (i16, i16),
}

impl Window {
    /// The smallest window with all places that have a weight in any of these values.
    pub(crate) fn over<'p>(values: impl Iterator<Item = &'p Polynomial>) -> Self {
        let mut window = Self { columns: (0, 0), rows: (0, 0) };
        for (atom, _) in values.flat_map(Polynomial::terms) {
            let Displacement { x, y } = atom.displacement;
            window.columns = (window.columns.0.min(x), window.columns.1.max(x));
            window.rows = (window.rows.0.min(y), window.rows.1.max(y));
        }
        window
    }

    /// The smallest window of one input channel; `None` if it has no weights.
    fn of_channel(value: &Polynomial, channel: u16) -> Option<Self> {
        let mut part = Polynomial::new();
        for (atom, weight) in value.terms().filter(|(atom, _)| atom.channel == channel) {
            part.add_term(atom, weight)?;
        }
        (!part.is_zero()).then(|| Self::over([&part].into_iter()))
    }

    /// Whether it has few enough cells to be drawn.
    pub(crate) fn is_drawable(self) -> bool {
        let span = |(low, high): (i16, i16)| i32::from(high) - i32::from(low) < MOST_CELLS;
        span(self.columns) && span(self.rows)
    }

    /// The smallest window around this one whose centre is the PE.
    fn centred(self) -> Self {
        let around = |(low, high): (i16, i16)| {
            let half = low.saturating_neg().max(high);
            (half.saturating_neg(), half)
        };
        Self { columns: around(self.columns), rows: around(self.rows) }
    }

    /// The columns, from west to east.
    fn columns(self) -> impl Iterator<Item = i16> {
        self.columns.0..=self.columns.1
    }

    /// The rows, from north to south.
    fn rows(self) -> impl Iterator<Item = i16> {
        (self.rows.0..=self.rows.1).rev()
    }

    /// The number of rows and of columns.
    pub(crate) fn size(self) -> (usize, usize) {
        let length = |(low, high): (i16, i16)| usize::from(high.abs_diff(low)) + 1;
        (length(self.rows), length(self.columns))
    }

    /// The row and the column of the PE, from 0.
    pub(crate) fn centre(self) -> (usize, usize) {
        (usize::from(self.rows.1.unsigned_abs()), usize::from(self.columns.0.unsigned_abs()))
    }
}

/// The unit in which the weights of a value are integers.
///
/// It is the reciprocal of the common denominator, or 1 if that does not fit in 64 bits.
pub(crate) fn unit(value: &Polynomial) -> Fraction {
    let common = |a: i64, b: i64| Fraction::new(a, b)?.numerator().checked_mul(b);
    let denominator = value.terms().try_fold(1, |all, (_, weight)| common(all, weight.denominator()));
    denominator.and_then(|denominator| Fraction::new(1, denominator)).unwrap_or(Fraction::ONE)
}

/// One input channel of a value within a window, in its unit; row 0 north, column 0 west.
pub(crate) fn rows(value: &Polynomial, channel: u16, window: Window) -> Vec<Vec<Fraction>> {
    let unit = unit(value);
    let weight = |x, y| {
        let weight = value.weight(Atom { channel, displacement: Displacement::new(x, y) });
        weight.checked_div(unit).unwrap_or(weight)
    };
    window.rows().map(|y| window.columns().map(|x| weight(x, y)).collect()).collect()
}

/// A value on one line, such as `1/4 [1 2 1]`, or `1/2 ([2] of A + [0 0 -1] of B)` with several inputs.
pub(crate) struct Line<'a> {
    pub(crate) value: &'a Polynomial,
    /// The names of the input channels.
    pub(crate) inputs: &'a [String],
}

impl fmt::Display for Line<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let channels: Vec<(u16, &String, Window)> = (0..)
            .zip(self.inputs)
            .filter_map(|(channel, input)| Some((channel, input, Window::of_channel(self.value, channel)?.centred())))
            .collect();
        if channels.iter().any(|(_, _, window)| !window.is_drawable()) {
            return self.value.fmt(f);
        }
        let unit = unit(self.value);
        match (unit, channels.len()) {
            (_, 0) => return f.write_str("0"),
            (Fraction::ONE, _) => {}
            (_, 1) => write!(f, "{unit} ")?,
            _ => write!(f, "{unit} (")?,
        }
        for (i, (channel, input, window)) in channels.iter().enumerate() {
            f.write_str(if i > 0 { " + " } else { "" })?;
            matrix(f, &rows(self.value, *channel, *window))?;
            if self.inputs.len() > 1 {
                write!(f, " of {input}")?;
            }
        }
        f.write_str(if unit != Fraction::ONE && channels.len() > 1 { ")" } else { "" })
    }
}

fn matrix(f: &mut fmt::Formatter<'_>, rows: &[Vec<Fraction>]) -> fmt::Result {
    f.write_str("[")?;
    for (i, row) in rows.iter().enumerate() {
        f.write_str(if i > 0 { "; " } else { "" })?;
        for (j, weight) in row.iter().enumerate() {
            write!(f, "{}{weight}", if j > 0 { " " } else { "" })?;
        }
    }
    f.write_str("]")
}

#[cfg(test)]
mod tests {
    use super::{Line, Window, unit};
    use cain_analysis::prove::{Atom, Polynomial};
    use cain_isa::{Displacement, Fraction};

    fn value(terms: &[(u16, i16, i16, i64, i64)]) -> Polynomial {
        let mut value = Polynomial::new();
        for &(channel, x, y, numerator, denominator) in terms {
            let atom = Atom { channel, displacement: Displacement::new(x, y) };
            value.add_term(atom, Fraction::new(numerator, denominator).unwrap()).unwrap();
        }
        value
    }

    fn line(value: &Polynomial, inputs: &[&str]) -> String {
        let inputs: Vec<String> = inputs.iter().map(ToString::to_string).collect();
        Line { value, inputs: &inputs }.to_string()
    }

    #[test]
    fn lines() {
        assert_eq!(line(&value(&[]), &["A"]), "0");
        assert_eq!(line(&value(&[(0, 1, 0, 1, 2), (0, 0, 0, 1, 4)]), &["A"]), "1/4 [0 1 2]");
        assert_eq!(line(&value(&[(0, 0, 1, 1, 1), (1, 0, 0, -1, 2)]), &["A", "B"]), "1/2 ([2; 0; 0] of A + [-1] of B)");
    }

    /// Thirds and halves together, as `bus3` can make them.
    #[test]
    fn units_of_any_denominators() {
        assert_eq!(unit(&value(&[(0, 0, 0, 1, 3), (0, 1, 0, 1, 2)])).to_string(), "1/6");
        let beyond = value(&[(0, 0, 0, 1, i64::MAX), (0, 1, 0, 1, i64::MAX - 1)]);
        assert_eq!(unit(&beyond), Fraction::ONE);
    }

    #[test]
    fn windows_hold_the_pe() {
        let window = Window::over([&value(&[(0, 2, 1, 1, 1), (0, 1, -1, 1, 1)])].into_iter());
        assert_eq!(window.columns().collect::<Vec<_>>(), [0, 1, 2]);
        assert_eq!(window.rows().collect::<Vec<_>>(), [1, 0, -1]);
        assert_eq!(window.centre(), (1, 0));
    }
}
