//! Lists, as numbers, of the pixels of maps that are 1.

use cain_isa::program::EventRead;

use super::declaration::Window;
use super::maps::{Maps, number};
use super::shapes::BitLevels;

/// The lists of all channels: the pixels with the number that a 1 stands for, in the order of the controller.
pub(super) fn lists(maps: &Maps, bits: &BitLevels, capacity: usize) -> Vec<f64> {
    let width = maps.width().max(1);
    let mut numbers = Vec::new();
    for (channel, (zero, one)) in bits.iter().enumerate() {
        let is_one = |pixel: f64| (pixel - one).abs() < (pixel - zero).abs();
        let rows = maps.channel(channel).chunks(width).enumerate();
        let ones = rows.flat_map(|(row, pixels)| {
            let columns = pixels.iter().enumerate().rev();
            columns.filter(|(_, pixel)| is_one(**pixel)).map(move |(column, _)| (row, column))
        });
        let ones: Vec<(usize, usize)> = ones.take(capacity + 1).collect();
        let end = numbers.len() + EventRead::numbers(capacity);
        numbers.push(number(ones.len()));
        let listed = ones.iter().take(capacity);
        numbers.extend(listed.flat_map(|&(row, column)| [number(row), number(column)]));
        numbers.resize(end, 0.0);
    }
    numbers
}

/// The number of pixels of each list in each window, for a mean divided by the number of pixels in the window: first
/// the results of the first list, then those of the second, and so on. The lists are numbers as an [`EventRead`] writes
/// them.
#[must_use]
pub fn event_counts(numbers: &[f64], capacity: usize, windows: &[Window], mean: bool) -> Vec<f64> {
    let lists = numbers.chunks(EventRead::numbers(capacity)).map(|list| {
        let (count, places) = list.split_first().map_or((0.0, list), |(&count, places)| (count, places));
        let is_listed = |(place, _): &(usize, &[f64])| number(*place) < count;
        places.chunks_exact(2).enumerate().filter(is_listed).map(|(_, pixel)| pixel).collect::<Vec<_>>()
    });
    let count = |list: &[&[f64]], window: &Window| {
        let along = |place: f64, first: usize, length: usize| number(first) <= place && place < number(first + length);
        let is_inside = |pixel: &&&[f64]| {
            matches!(***pixel, [row, column] if along(row, window.top, window.height)
                && along(column, window.left, window.width))
        };
        let count = number(list.iter().filter(is_inside).count());
        if mean { count / number(window.area()) } else { count }
    };
    lists.flat_map(|list| windows.iter().map(move |window| count(&list, window)).collect::<Vec<_>>()).collect()
}
