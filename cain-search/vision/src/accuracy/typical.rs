//! What planes typically are.

use cain_isa::program::Area;
use cain_network::many_synthetic_pictures;

use crate::declaration::{Declaration, Kind, Sample, Value};

/// The rows and columns of pictures where nothing else is known.
const SIDE: usize = 24;

/// The range of these pictures, as a share of that of their plane.
const CONTRAST: f64 = 0.6;

/// What planes are in a rectangle.
pub(super) struct Typical {
    pub(super) area: Area,
    /// The level around it, in DN.
    pub(super) around: f32,
    /// The pictures of each plane, row by row, in DN; above 0 where bits are 1.
    pub(super) planes: Vec<(Value, Vec<Vec<f32>>)>,
    /// Planes that are something else.
    pub(super) others: Vec<Value>,
}

impl Typical {
    /// All that is known of the planes of a declaration, of one rectangle after the other.
    pub(super) fn all(declaration: &Declaration) -> Vec<Self> {
        let told: Vec<Value> = declaration.samples.iter().map(|sample| sample.of).collect();
        let given: Vec<Value> = given(declaration).collect();
        let mut all = Vec::new();
        for (number, Sample { of, area, around, pictures }) in declaration.samples.iter().enumerate() {
            let mut planes = vec![(*of, pictures.clone())];
            // What an input is compared with is told with it, once.
            if given.contains(of) && !told[..number].contains(of) {
                let rest = given.iter().copied().filter(|value| !told.contains(value));
                planes.extend(synthetic(declaration, rest, *area, pictures.len()));
            }
            all.push(Self { area: *area, around: *around, planes, others: Vec::new() });
        }
        // In the middle of the array.
        let side = SIDE.min(declaration.side);
        let first = (declaration.side - side) / 2;
        let area = Area { top: first, left: first, height: side, width: side };
        let rest = given.into_iter().filter(|value| !told.contains(value));
        let mut planes: Vec<_> = synthetic(declaration, rest, area, 1).collect();
        for (value, pictures) in &mut planes {
            let reversed = pictures.iter().map(|picture| reversed(declaration.values[value.0], picture));
            pictures.extend(reversed.collect::<Vec<_>>());
        }
        all.push(Self { area, around: 0.0, planes, others: told });
        all
    }

    /// How many pictures there are.
    pub(super) fn count(&self) -> usize {
        self.planes.iter().map(|(_, pictures)| pictures.len()).min().unwrap_or(0)
    }
}

/// The inputs, and the states before a frame.
fn given(declaration: &Declaration) -> impl Iterator<Item = Value> {
    let states = declaration.states.iter().map(|state| state.before);
    declaration.inputs.iter().map(|input| input.value).chain(states)
}

/// A picture whose mean with another one is the middle of the range, so that planes are no more often bright than dark.
fn reversed(kind: Kind, picture: &[f32]) -> Vec<f32> {
    #[expect(clippy::cast_possible_truncation, reason = "levels need few digits")]
    let ends = match kind {
        Kind::Levels { low, high } => (low + high) as f32,
        _ => 1.0,
    };
    picture.iter().map(|level| ends - level).collect()
}

/// So many [synthetic pictures](cain_network::synthetic_pictures) for each of these planes; numbers have none.
fn synthetic(
    declaration: &Declaration,
    planes: impl Iterator<Item = Value>,
    area: Area,
    count: usize,
) -> impl Iterator<Item = (Value, Vec<Vec<f32>>)> {
    let kinds = planes.map(|value| (value, declaration.values[value.0]));
    let kinds: Vec<_> = kinds.filter(|(_, kind)| !matches!(kind, Kind::Number { .. })).collect();
    let mut pictures = many_synthetic_pictures((area.height, area.width), count * kinds.len()).into_iter();
    kinds.into_iter().map(move |(value, kind)| {
        let level = |grey: u8| match kind {
            Kind::Levels { low, high } => {
                f64::midpoint(low, high) + CONTRAST * (high - low) * (f64::from(grey) / 255.0 - 0.5)
            }
            _ => f64::from(u8::from(grey > 127)),
        };
        #[expect(clippy::cast_possible_truncation, reason = "levels need few digits")]
        let levels = |picture: Vec<u8>| picture.into_iter().map(|grey| level(grey) as f32).collect();
        (value, pictures.by_ref().take(count).map(levels).collect())
    })
}
