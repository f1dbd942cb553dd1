//! The public cases: kernel files, and the figures to compare with.

use std::collections::BTreeMap;

use cain_search::InstructionSet;
use serde::Deserialize;

/// The kernel files of the public cases.
pub(crate) const CASES: [(&str, &str); 3] = [
    ("table1.toml", include_str!("../../cases/table1.toml")),
    ("analognavnet.toml", include_str!("../../cases/analognavnet.toml")),
    ("classic.toml", include_str!("../../cases/classic.toml")),
];

const TARGETS: &str = include_str!("../../cases/targets.json");

/// Published figures for a filter, and those expected here.
#[derive(Clone, Copy, Debug, Default, Deserialize)]
pub(crate) struct Target {
    /// The number of macro instructions that Cain's paper reports.
    pub(crate) paper: Option<u32>,
    /// The number of macro instructions that Cain finds on a machine with two cores.
    pub(crate) cain_rerun: Option<u32>,
    /// The number of control words of that program.
    pub(crate) cain_rerun_icws: Option<u32>,
    macros: Option<u32>,
    basic: Option<u32>,
    /// The expected number of control words.
    native: Option<u32>,
}

impl Target {
    /// The most instructions that a program of this instruction set should need.
    pub(crate) fn instructions(&self, set: InstructionSet) -> Option<u32> {
        match set {
            InstructionSet::Macro => self.macros,
            InstructionSet::Basic => self.basic,
            InstructionSet::Native => self.native,
            _ => None,
        }
    }
}

/// An entry of the file of targets.
#[derive(Deserialize)]
#[serde(untagged)]
enum Entry {
    Target(Target),
    Remark(#[expect(dead_code, reason = "explains the file to its readers")] String),
}

/// The targets of the public cases, by the names of their filters.
pub(crate) fn targets() -> serde_json::Result<BTreeMap<String, Target>> {
    let entries: BTreeMap<String, Entry> = serde_json::from_str(TARGETS)?;
    let target = |(name, entry)| match entry {
        Entry::Target(target) => Some((name, target)),
        Entry::Remark(_) => None,
    };
    Ok(entries.into_iter().filter_map(target).collect())
}

#[cfg(test)]
mod tests {
    use super::{CASES, targets};
    use cain_codegen::kernel_file::{Filter, parse};
    use cain_search::InstructionSet;

    #[test]
    fn every_case_has_a_target() {
        let targets = targets().unwrap();
        for (file, text) in CASES {
            let filters = parse(text).unwrap_or_else(|problems| panic!("{file}: {problems:?}"));
            for name in filters.iter().map(Filter::name) {
                for set in [InstructionSet::Macro, InstructionSet::Native] {
                    assert!(targets[name].instructions(set).is_some(), "{name}");
                }
            }
        }
        assert_eq!(targets["gauss3"].paper, Some(10));
    }
}
