//! Expressions of bits in networks.

use cain_digital::{Format, Logic};
use cain_isa::Displacement;

use super::sources::Sources;
use crate::errors::Errors;
use crate::lower::logic::{Names, bit_of, function};
use crate::names;
use crate::tree::{At, Place};
use crate::value::{Entry, list};

/// Reads one expression, or an array of them, of bits of the layers that are read.
pub(super) fn functions<S: Place>(
    entry: &Entry<'_, S>,
    sources: &Sources<'_>,
    errors: &mut Errors<S>,
) -> Option<Vec<Logic>> {
    const EXPECTED: &str = "an expression of bits such as \"edge & !edge@east\", or an array of them";
    list(entry, errors, |entry, errors| {
        let expression = entry.expression(EXPECTED, errors)?;
        // That a layer is not in bits is reported with the network as a whole.
        let Some(read) = sources.in_bits() else { return Some(Logic::Constant(false)) };
        function(&expression, &mut Layers { read, errors })
    })
}

/// The layers that are read, each with the formats of its channels.
struct Layers<'l, S> {
    read: Vec<(&'l str, Vec<Format>)>,
    errors: &'l mut Errors<S>,
}

impl<S: Place> Names<S> for Layers<'_, S> {
    /// A bit of the only map of a layer, or one of several maps of one bit.
    fn bit(&mut self, name: &str, bit: Option<&At<u32, S>>, at: S) -> Option<Logic> {
        let Some((place, (_, formats))) = self.read.iter().enumerate().find(|(_, (known, _))| *known == name) else {
            let known: Vec<&str> = self.read.iter().map(|(known, _)| *known).collect();
            self.errors.add(at, names::unknown("name", name, &known));
            return None;
        };
        let before: usize = self.read.iter().take(place).map(|(_, formats)| formats.len()).sum();
        let pixel = |input: usize, bit: u32| Some(Logic::Pixel { input, bit, at: Displacement::ZERO });
        if let [format] = formats.as_slice() {
            return pixel(before, bit_of(name, format.bits(), bit, at, self.errors)?);
        }
        let map = bit.map_or(0, |bit| bit.value as usize);
        let Some((format, place)) = formats.get(map).zip(bit.map(|bit| bit.at)) else {
            let (most, place) = (formats.len().saturating_sub(1), bit.map_or(at, |bit| bit.at));
            let message = format!("`{name}` has several maps, `{name}[0]` to `{name}[{most}]`; say which one");
            self.errors.add(place, message);
            return None;
        };
        if format.bits() > 1 {
            let bits = format.bits();
            let message = format!(
                "map {map} of `{name}` has {bits} bits; expressions read numbers of several bits from layers with one map"
            );
            self.errors.add(place, message);
            return None;
        }
        pixel(before + map, 0)
    }

    fn errors(&mut self) -> &mut Errors<S> {
        self.errors
    }
}
