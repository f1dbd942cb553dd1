//! Sorting where little is to be sorted, or seldom.
//!
//! The sorting of the standard library is compiled for each type of item and each key, to code that takes longer to build than
//! what it saves here.

use std::cmp::Ordering;

/// The most items that are sorted by insertion.
const FEW: usize = 20;

/// Sorts by a key; items with equal keys stay in their order.
pub(crate) fn by_key<T, K: Ord>(items: &mut [T], key: impl Fn(&T) -> K) {
    by(items, |one, other| key(one).cmp(&key(other)));
}

/// Sorts by a comparison; equal items stay in their order.
pub(crate) fn by<T>(items: &mut [T], compare: impl Fn(&T, &T) -> Ordering) {
    if items.len() > FEW {
        let order = order(items.len(), &|one, other| compare(&items[one], &items[other]));
        arrange(order, &mut |one, other| items.swap(one, other));
        return;
    }
    for end in 1..items.len() {
        let mut place = end;
        while place > 0 && compare(&items[place], &items[place - 1]).is_lt() {
            items.swap(place, place - 1);
            place -= 1;
        }
    }
}

/// The present place of each item after sorting.
fn order(count: usize, compare: &dyn Fn(usize, usize) -> Ordering) -> Vec<usize> {
    let mut order: Vec<usize> = (0..count).collect();
    order.sort_by(|&one, &other| compare(one, other));
    order
}

/// Brings items into an order by swaps.
fn arrange(mut order: Vec<usize>, swap: &mut dyn FnMut(usize, usize)) {
    for start in 0..order.len() {
        let mut place = start;
        while order[place] != start {
            let next = std::mem::replace(&mut order[place], place);
            swap(place, next);
            place = next;
        }
        order[place] = place;
    }
}

#[cfg(test)]
mod tests {
    use super::by_key;
    use crate::random::Random;

    #[test]
    fn items_are_sorted_as_by_the_standard_library() {
        let mut random = Random::new(1);
        for count in (0..100).chain([1000]) {
            let items: Vec<(usize, usize)> = (0..count).map(|number| (random.below(1 + count / 3), number)).collect();
            let (mut sorted, mut wanted) = (items.clone(), items);
            by_key(&mut sorted, |item| item.0);
            wanted.sort_by_key(|item| item.0);
            assert_eq!(sorted, wanted);
        }
    }
}
