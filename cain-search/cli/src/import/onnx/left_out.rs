//! Settings of which the table does not tell, since they could not be compiled.

use cain_isa::Fraction;

use super::failed::Failed;
use super::judged::levels;

/// Settings that could not be compiled.
#[derive(Default)]
pub(super) struct LeftOut(Vec<(Setting, Failed)>);

/// The levels of the picture, the depth of weights, the share of the largest sums, and the budget of a sum.
#[derive(Clone, Copy, PartialEq)]
pub(super) struct Setting {
    pub(super) levels: (f64, f64),
    pub(super) depth: Option<u32>,
    pub(super) largest_sums: Fraction,
    pub(super) nodes: u64,
}

impl LeftOut {
    pub(super) fn push(&mut self, setting: Setting, why: impl Into<Failed>) {
        self.0.push((setting, why.into()));
    }

    pub(super) const fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// These, and then others.
    pub(super) fn and(mut self, others: Self) -> Self {
        self.0.extend(others.0);
        self
    }

    /// Why each of them could not be compiled.
    pub(super) fn reasons(&self) -> Vec<Failed> {
        self.0.iter().map(|(_, failed)| failed.clone()).collect()
    }

    /// A line that names them, with the reason of the first one, beside so many that could be compiled; `None` if there are none.
    pub(super) fn line(&self, compiled: usize) -> Option<String> {
        let (_, first) = self.0.first()?;
        let mut groups: Vec<(String, Vec<String>)> = Vec::new();
        for (setting, _) in &self.0 {
            let (shown, name) = (levels(setting.levels), setting.beside_levels());
            match groups.iter_mut().find(|(other, _)| *other == name) {
                Some((_, all)) => all.push(shown),
                None => groups.push((name, vec![shown])),
            }
        }
        let shown = groups.into_iter().map(|(name, all)| format!("{name}levels {}", all.join(", ")));
        let (count, all) = (self.0.len(), self.0.len() + compiled);
        Some(format!(
            "{count} of {all} settings could not be compiled: {}; the first one: {}",
            shown.collect::<Vec<_>>().join("; "),
            first.reason()
        ))
    }
}

impl Setting {
    /// What is chosen beside the levels.
    fn beside_levels(&self) -> String {
        let depth = self.depth.map(|depth| format!("depth {depth}"));
        let share = (self.largest_sums != Fraction::ONE).then(|| format!("largest sums {}", self.largest_sums));
        let nodes = (self.nodes > 1).then(|| format!("nodes {}", self.nodes));
        let all: Vec<String> = [depth, share, nodes].into_iter().flatten().collect();
        if all.is_empty() { String::new() } else { format!("{} with ", all.join(", ")) }
    }
}

#[cfg(test)]
mod tests {
    use cain_isa::Fraction;

    use super::{LeftOut, Setting};

    #[test]
    fn settings_that_could_not_be_compiled_are_named() {
        let mut left_out = LeftOut::default();
        assert_eq!(left_out.line(20), None);
        let mut push = |levels, depth, share, nodes, why: &str| {
            let setting = Setting { levels, depth, largest_sums: Fraction::new(1, share).unwrap(), nodes };
            left_out.push(setting, why.to_owned());
        };
        push((-60.0, 60.0), Some(7), 1, 1, "too few registers");
        push((0.0, 60.0), Some(6), 1, 1, "too long");
        push((0.0, 120.0), Some(7), 1, 1, "too long");
        push((0.0, 60.0), None, 2, 1000, "too long");
        assert_eq!(
            left_out.line(16).unwrap(),
            "4 of 20 settings could not be compiled: depth 7 with levels -60..60, 0..120; depth 6 with \
             levels 0..60; largest sums 1/2, nodes 1000 with levels 0..60; the first one: too few registers"
        );
    }
}
