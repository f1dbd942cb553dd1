//! Lists of the pixels of a map that are 1.

use core::array::from_fn;

use crate::isa::program::{Area, EventRead};

/// A pixel of a map.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Pixel {
    /// Its row, from the top.
    pub row: u8,
    /// Its column, from the left.
    pub column: u8,
}

/// The pixels of a map that are 1, or the first `N` of them: row after row from the top, each from the right.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct EventList<const N: usize> {
    pixels: [Pixel; N],
    listed: usize,
    is_complete: bool,
}

impl<const N: usize> EventList<N> {
    /// The list that numbers begin with, as an [`EventRead`] writes it.
    fn of(numbers: &[f32]) -> Self {
        let (count, places) = numbers.split_first().map_or((0, numbers), |(&count, places)| (whole(count), places));
        let mut pairs = places.chunks_exact(2).map(|pair| match *pair {
            [row, column] => Pixel { row: coordinate(row), column: coordinate(column) },
            _ => Pixel::default(),
        });
        let pixels = from_fn(|_| pairs.next().unwrap_or_default());
        Self { pixels, listed: count.min(N), is_complete: count <= N }
    }

    /// The pixels.
    #[must_use]
    pub fn pixels(&self) -> &[Pixel] {
        self.pixels.get(..self.listed).unwrap_or_default()
    }

    /// Whether there was room for all of them.
    #[must_use]
    pub const fn is_complete(&self) -> bool {
        self.is_complete
    }

    /// How many are within an area.
    #[must_use]
    pub fn count_in(&self, area: &Area) -> usize {
        let is_within = |place: u8, first: usize, length: usize| {
            usize::from(place).checked_sub(first).is_some_and(|place| place < length)
        };
        let is_inside = |pixel: &&Pixel| {
            is_within(pixel.row, area.top, area.height) && is_within(pixel.column, area.left, area.width)
        };
        self.pixels().iter().filter(is_inside).count()
    }
}

/// Lists that were read out, from that place on: those of all channels of a layer.
#[must_use]
pub fn event_lists<const N: usize, const CHANNELS: usize>(read: &[f32], first: usize) -> [EventList<N>; CHANNELS] {
    let numbers = EventRead::numbers(N);
    from_fn(|channel| EventList::of(read.get(first + channel * numbers..).unwrap_or_default()))
}

/// How many pixels of each list are within each area: the numbers of the first list, then those of the second, and so on.
#[must_use]
pub fn event_counts<const N: usize, const COUNTS: usize>(lists: &[EventList<N>], areas: &[Area]) -> [i32; COUNTS] {
    let mut counts = lists.iter().flat_map(|list| areas.iter().map(|area| list.count_in(area)));
    from_fn(|_| counts.next().and_then(|count| i32::try_from(count).ok()).unwrap_or_default())
}

/// The same, divided by the pixels of the area.
#[must_use]
#[expect(clippy::cast_possible_truncation, reason = "that is the rounding")]
pub fn event_means<const N: usize, const COUNTS: usize>(lists: &[EventList<N>], areas: &[Area]) -> [f32; COUNTS] {
    let mean = |list: &EventList<N>, area: &Area| real(list.count_in(area)) / real(area.height * area.width);
    let mut means = lists.iter().flat_map(|list| areas.iter().map(move |area| mean(list, area)));
    from_fn(|_| means.next().unwrap_or_default() as f32)
}

#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "saturates")]
const fn whole(number: f32) -> usize {
    number as usize
}

#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "saturates")]
const fn coordinate(number: f32) -> u8 {
    number as u8
}

#[expect(clippy::cast_precision_loss, reason = "a map has fewer pixels than 2^53")]
const fn real(count: usize) -> f64 {
    count as f64
}
