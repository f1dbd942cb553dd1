//! Adds terms one after the other.

use std::collections::BTreeMap;

use cain_isa::Displacement;

use super::form::{Form, Part, Sum, Term};

/// The form with long sums added up in steps, in a few variants; these take more words, but hold fewer bits at the same
/// time.
pub(crate) fn chains(form: &Form) -> Vec<Form> {
    let groupings: [fn(usize, &Term) -> i32; 4] = [
        |_, term| i32::from(term.at.y),
        |_, term| i32::from(term.at.x),
        |place, _| i32::try_from(place / 2).unwrap_or(i32::MAX),
        |place, _| i32::try_from(place).unwrap_or(i32::MAX),
    ];
    groupings.into_iter().map(|group| chained(form, group)).filter(|chained| chained != form).collect()
}

/// The form with each sum split into groups of its terms, each of which is added to the sum of the groups before it.
fn chained(form: &Form, group: fn(usize, &Term) -> i32) -> Form {
    let mut sums = form.sums.clone();
    for sum in 0..form.sums.len() {
        let mut groups: BTreeMap<i32, Sum> = BTreeMap::new();
        for (place, (&term, &weight)) in form.sums[sum].iter().enumerate() {
            groups.entry(group(place, &term)).or_default().insert(term, weight);
        }
        let mut groups = groups.into_values();
        let Some(mut so_far) = groups.next() else { continue };
        for mut next in groups {
            if so_far.len() > 1 {
                next.insert(Term { part: Part::Sum(sums.len()), at: Displacement::ZERO }, 1);
                sums.push(so_far);
            } else {
                next.append(&mut so_far);
            }
            so_far = next;
        }
        sums[sum] = so_far;
    }
    Form { sums }
}
