//! Pictures of programs: what a program was given, and what it made of it, side by side.

use cain_runtime::pictures::{Colour, EncodeError, Palette, Picture};

use super::rows::Scene;
use super::running::{Made, Ran};
use super::scenes::SIDE;

/// The side of a tile.
const TILE: usize = 128;
/// Between tiles.
const GAP: usize = 4;
const PAPER: Colour = [255; 3];
/// Rectangles and points.
const MARK: Colour = [255, 144, 0];

/// The planes of a scene as a PNG file; fails if a name is none of a plane, a rectangle, a point or a list of these.
pub(super) fn strip(ran: &Ran, scene: &Scene) -> Result<Vec<u8>, String> {
    let tiles = scene.shown.iter().map(|name| tile(ran, scene, name)).collect::<Result<Vec<_>, String>>()?;
    let mut strip = Picture::filled((tiles.len() * (TILE + GAP)).saturating_sub(GAP), TILE, PAPER);
    for (place, tile) in tiles.iter().enumerate() {
        strip.paste(tile, place * (TILE + GAP), 0);
    }
    strip.png().map_err(|error: EncodeError| error.to_string())
}

/// A plane, or `PLANE+NAME` with what is listed under that name.
fn tile(ran: &Ran, scene: &Scene, name: &str) -> Result<Picture, String> {
    let (name, marks) = name.split_once('+').map_or((name, None), |(name, marks)| (name, Some(marks)));
    let result = |name: &str| {
        let found = ran.results.iter().find(|(known, _)| known == name).map(|(_, made)| made);
        found.ok_or_else(|| format!("no result `{name}`"))
    };
    let picture = match name {
        "entry" => grey(ran.entry.as_ref().ok_or("there is no entry")?),
        name => match result(name)? {
            Made::Levels(levels) => Picture::of_values(levels, SIDE, range(levels)),
            Made::Bits(bits) => Picture::of_bits(bits, SIDE),
            Made::Number(_) | Made::Numbers(_) => return Err(format!("`{name}` is no plane")),
        },
    };
    let mut picture = scaled(&picture, scene);
    if let Some(name) = marks {
        let Made::Numbers(entries) = result(name)? else { return Err(format!("`{name}` is no list or rectangle")) };
        for entry in entries {
            mark(&mut picture, scene, entry);
        }
    }
    Ok(picture)
}

fn grey(greys: &[u8]) -> Picture {
    let levels: Vec<f32> = greys.iter().map(|grey| f32::from(*grey) - 128.0).collect();
    Picture::of_values(&levels, SIDE, Palette::BYTES)
}

/// Black for the least level and white for the largest one, but for the outermost PEs, where levels need not be defined.
fn range(levels: &[f32]) -> Palette {
    let inner = SIDE / 64..SIDE - SIDE / 64;
    let rows = levels.chunks_exact(SIDE).skip(inner.start).take(inner.len());
    let inner = || rows.clone().flat_map(|row| row.iter().skip(inner.start).take(inner.len())).copied();
    let (from, to) = (inner().fold(f32::INFINITY, f32::min), inner().fold(f32::NEG_INFINITY, f32::max));
    Palette::Grey { from, to: to.max(from + 1.0) }
}

/// The part of a scene that is drawn, as large as a tile, in 32 greys, which keeps files small.
fn scaled(picture: &Picture, scene: &Scene) -> Picture {
    let [top, left, side] = scene.part.unwrap_or([0, 0, SIDE]);
    let part = picture.part(left, top, side, side).enlarged((TILE / side).max(1));
    let step = (side / TILE).max(1);
    let mean = |column: usize, row: usize| {
        let places =
            (0..step * step).map(|place| (row * step + place / step) * part.width() + column * step + place % step);
        let sum: usize =
            places.filter_map(|place| part.colours().get(place)).map(|[grey, ..]| usize::from(*grey)).sum();
        let mean = u8::try_from(sum / (step * step)).unwrap_or(u8::MAX);
        // Its five highest bits, from black to white.
        [(mean & 0xF8) | (mean >> 5); 3]
    };
    Picture::from_fn(TILE, TILE, mean)
}

/// Draws a PE, a rectangle, or what ends with one.
fn mark(picture: &mut Picture, scene: &Scene, entry: &[i64]) {
    let numbers: Vec<usize> = entry.iter().map(|number| usize::try_from(*number).unwrap_or(0)).collect();
    let (top, left, bottom, right) = match *numbers.as_slice() {
        [row, column] => (row.saturating_sub(2), column.saturating_sub(2), row + 2, column + 2),
        [.., top, left, bottom, right] => (top, left, bottom, right),
        _ => return,
    };
    let [first_row, first_column, side] = scene.part.unwrap_or([0, 0, SIDE]);
    let row = |row: usize| (row.saturating_sub(first_row) * TILE / side).min(TILE - 1);
    let column = |column: usize| (column.saturating_sub(first_column) * TILE / side).min(TILE - 1);
    let (top, left, bottom, right) = (row(top), column(left), row(bottom), column(right));
    let lines = (left..=right).flat_map(|column| [(column, top), (column, bottom)]);
    for (column, row) in lines.chain((top..=bottom).flat_map(|row| [(left, row), (right, row)])) {
        if let Some(colour) = picture.colour_mut(column, row) {
            *colour = MARK;
        }
    }
}
