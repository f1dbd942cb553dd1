//! Tests how many generated models the import accepts, and its reasons for refusing others.

use std::collections::BTreeMap;

use cain_fuzz::Dice;
use cain_fuzz::onnx::{constructs, generate};
use cain_fuzz::targets::imported;

const COUNT: u32 = 2_000;

/// Refused models are not compared, so most must be accepted, including some of each kind.
#[test]
fn most_models_are_imported_and_some_of_each_construct() {
    let mut accepted = 0;
    let mut of_constructs: BTreeMap<&str, (u32, u32)> = constructs().map(|construct| (construct, (0, 0))).collect();
    let mut reasons: BTreeMap<String, u32> = BTreeMap::new();
    for index in 0..COUNT {
        let model = generate(&mut Dice::new("graphs", 1, index.into()));
        let is_accepted = match imported(&model.bytes) {
            Ok(_) => true,
            Err(problems) => {
                *reasons.entry(kind(&problems)).or_default() += 1;
                false
            }
        };
        accepted += u32::from(is_accepted);
        for construct in model.constructs {
            let (taken, all) = of_constructs.entry(construct).or_default();
            *taken += u32::from(is_accepted);
            *all += 1;
        }
    }
    let mut reasons: Vec<(u32, String)> = reasons.into_iter().map(|(reason, count)| (count, reason)).collect();
    reasons.sort_by(|a, b| b.cmp(a));
    let reasons: Vec<String> = reasons.into_iter().map(|(count, reason)| format!("{count:6} {reason}")).collect();
    eprintln!("{accepted} of {COUNT} models are imported; the others are refused:\n{}", reasons.join("\n"));
    for (construct, (taken, all)) in &of_constructs {
        eprintln!("{taken:6} of {all} with {construct}");
    }
    assert!(2 * accepted > COUNT, "{accepted} of {COUNT}");
    let never: Vec<_> = of_constructs.iter().filter(|(_, (taken, _))| *taken == 0).map(|(name, _)| name).collect();
    assert!(never.is_empty(), "never imported: {never:?}");
}

/// The first problem without names and numbers.
fn kind(problems: &str) -> String {
    let line = problems.lines().next().unwrap_or_default();
    let quoted = line.split('`').enumerate().map(|(place, part)| if place % 2 == 0 { part } else { "`…`" });
    quoted.collect::<String>().replace(|character: char| character.is_ascii_digit(), "#")
}
