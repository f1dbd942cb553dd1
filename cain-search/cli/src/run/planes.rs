//! Turns the planes of the array into pictures.

use std::collections::BTreeMap;
use std::fmt;

use cain_analysis::prove::Reach;
use cain_isa::{Bit, Dreg, Reg};
use cain_runtime::io::Size;
use cain_runtime::pictures::{Deviation, Palette, Picture};
use cain_runtime::sim::Array;

use super::figures::Figures;

/// The plane of a register as a picture.
pub(crate) struct RegisterPicture {
    pub(crate) name: String,
    pub(crate) picture: Picture,
    /// The values of the darkest and the lightest colour.
    pub(crate) range: Colours,
    pub(crate) figures: Figures,
    /// The comparison with the result of an ideal array, if it was asked for.
    pub(crate) compared: Option<Compared>,
}

/// The name of the file with the comparison of a plane.
pub(crate) fn compared_name(plane: &str) -> String {
    format!("{plane}-compared")
}

/// A result, that of an ideal array, and the error, side by side.
pub(crate) struct Compared {
    pub(crate) picture: Picture,
    /// The values of the last colours of the error.
    pub(crate) range: Colours,
}

/// The values of the first and of the last colour of a picture.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Colours {
    /// The two values, in DN.
    Dn(f32, f32),
    Bits,
}

impl Colours {
    fn of(palette: Palette) -> Self {
        match palette {
            Palette::Grey { from, to } => Self::Dn(from, to),
            Palette::Signed { limit } => Self::Dn(-limit, limit),
        }
    }

    pub(crate) fn ends(self) -> [f32; 2] {
        match self {
            Self::Dn(first, last) => [first, last],
            Self::Bits => [0.0, 1.0],
        }
    }
}

impl fmt::Display for Colours {
    /// Writes, for example, `-64 to 64 DN`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let ([first, last], unit) = (self.ends(), if *self == Self::Bits { "" } else { " DN" });
        write!(f, "{first} to {last}{unit}")
    }
}

/// Whether a result that depends on PEs so far away is defined in the PE with this number, row by row from the north.
fn is_defined(reach: Reach, Size { width, height }: Size, place: usize) -> bool {
    let (column, row) = (place % width.max(1), place / width.max(1));
    let has = |pes: usize, far: i16| pes >= usize::from(far.unsigned_abs());
    has(column, reach.min.x)
        && has(width.saturating_sub(column + 1), reach.max.x)
        && has(row, reach.max.y)
        && has(height.saturating_sub(row + 1), reach.min.y)
}

/// How planes are shown. The planes of all frames have the colours of those of the first frame.
pub(crate) struct Look {
    pub(crate) signed: bool,
    pub(crate) compare: bool,
    /// How far results depend on other PEs: nearer to the border they are not defined, and are not compared.
    border: Reach,
    palettes: BTreeMap<Reg, Palette>,
    errors: BTreeMap<Reg, Palette>,
}

impl Look {
    pub(crate) fn new(signed: bool, compare: bool, border: Reach) -> Self {
        Self { signed, compare, border, palettes: BTreeMap::new(), errors: BTreeMap::new() }
    }

    /// A picture of every register that was written, analogue ones first; `ideal` is an array that has done the same
    /// without errors.
    pub(crate) fn planes(&mut self, array: &Array, ideal: Option<&Array>) -> Vec<RegisterPicture> {
        let analogue = (0..=u8::MAX).map(Reg::from_index).filter_map(|reg| {
            let wanted = ideal.and_then(|ideal| ideal.read_reg(reg).ok());
            Some(self.analogue(reg, array.read_reg(reg).ok()?, wanted, array.width()))
        });
        let digital = Dreg::ALL.into_iter().filter_map(|register| {
            let bits = array.read_bits(Bit::Reg(register)).ok()?;
            Some(RegisterPicture {
                // Machines with many analogue registers also have an analogue `R5`.
                name: format!("bits-{register}"),
                picture: Picture::of_bits(&bits, array.width()),
                range: Colours::Bits,
                figures: Figures::new(bits.iter().map(|bit| f32::from(u8::from(*bit))), None),
                compared: None,
            })
        });
        analogue.collect::<Vec<_>>().into_iter().chain(digital).collect()
    }

    fn analogue(&mut self, reg: Reg, values: &[f32], wanted: Option<&[f32]>, width: usize) -> RegisterPicture {
        let chosen = || if self.signed { Palette::signed(values) } else { Palette::grey(values) };
        let palette = *self.palettes.entry(reg).or_insert_with(chosen);
        let picture = Picture::of_values(values, width, palette);
        let (border, size) = (self.border, Size { width, height: values.len() / width.max(1) });
        let pairs = wanted.map(|wanted| {
            let pairs = values.iter().copied().zip(wanted.iter().copied()).enumerate();
            pairs.filter(move |(place, _)| is_defined(border, size, *place)).map(|(_, pair)| pair)
        });
        let compared = wanted.filter(|_| self.compare).map(|wanted| {
            let errors: Vec<f32> = values.iter().zip(wanted).map(|(value, wanted)| value - wanted).collect();
            let of_errors = *self.errors.entry(reg).or_insert_with(|| Palette::signed(&errors));
            let beside = [
                picture.clone(),
                Picture::of_values(wanted, width, palette),
                Picture::of_values(&errors, width, of_errors),
            ];
            Compared { picture: Picture::sheet(&beside, beside.len()), range: Colours::of(of_errors) }
        });
        RegisterPicture {
            name: reg.to_string(),
            picture,
            range: Colours::of(palette),
            figures: Figures::new(values.iter().copied(), pairs.and_then(Deviation::of)),
            compared,
        }
    }
}

#[cfg(test)]
mod tests {
    use cain_isa::Displacement;

    use super::{Reach, Size, is_defined};

    #[test]
    fn results_are_defined_where_all_that_they_depend_on_is_on_the_array() {
        let size = Size { width: 5, height: 4 };
        let defined = |reach| (0..20).filter(|place| is_defined(reach, size, *place)).collect::<Vec<_>>();
        let reach = |west: i16, south: i16, east: i16, north: i16| Reach {
            min: Displacement::new(-west, -south),
            max: Displacement::new(east, north),
        };
        assert_eq!(defined(Reach::default()).len(), 20);
        assert_eq!(defined(reach(0, 0, 3, 1)), [5, 6, 10, 11, 15, 16]);
        assert_eq!(defined(reach(4, 2, 0, 0)), [4, 9]);
        assert!(defined(reach(3, 0, 2, 0)).is_empty());
    }
}
