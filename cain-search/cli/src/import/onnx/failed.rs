//! Why settings cannot be compiled, and which depths can.

use cain_network::{CompileError, Obstacle};

/// How many reasons are told.
const MOST_REASONS: usize = 3;

/// Why a setting could not be compiled.
#[derive(Clone, Debug)]
pub(super) struct Failed {
    reason: String,
    /// Whether a longer search could not help.
    is_final: bool,
    /// Whether there were too few registers. A longer search may find a program in fewer.
    is_of_registers: bool,
}

impl From<String> for Failed {
    fn from(reason: String) -> Self {
        Self { reason, is_final: false, is_of_registers: false }
    }
}

impl From<&CompileError> for Failed {
    fn from(error: &CompileError) -> Self {
        let reason = error.to_string().lines().collect::<Vec<_>>().join("; ");
        Self {
            reason,
            is_final: !matches!(*error.obstacle, Obstacle::Search(_) | Obstacle::Exact { .. }),
            is_of_registers: matches!(*error.obstacle, Obstacle::Registers { .. }),
        }
    }
}

impl Failed {
    pub(super) fn reason(&self) -> &str {
        &self.reason
    }
}

/// Whether no longer search could help any of several settings.
pub(super) fn are_final(failed: &[Failed]) -> bool {
    !failed.is_empty() && failed.iter().all(|failed| failed.is_final)
}

/// Whether a longer search than a first, short one may help one of several settings.
pub(super) fn is_worth_another(failed: &[Failed]) -> bool {
    failed.iter().any(|failed| !failed.is_final || failed.is_of_registers)
}

/// The reasons, each once.
pub(super) fn reasons(failed: &[Failed]) -> String {
    let mut reasons: Vec<&str> = Vec::new();
    for Failed { reason, .. } in failed {
        if !reasons.contains(&reason.as_str()) {
            reasons.push(reason);
        }
    }
    reasons.truncate(MOST_REASONS);
    reasons.join("; ")
}

/// Which depths below one can be compiled, and why; `can` tries one. Nothing if the coarsest weights that are worth trying cannot.
pub(super) fn depths(depth: u32, coarsest: u32, can: &dyn Fn(u32) -> bool) -> Option<String> {
    if depth <= coarsest || !can(coarsest) {
        return None;
    }
    let (mut deepest, mut too_deep) = (coarsest, depth);
    while too_deep - deepest > 1 {
        let middle = u32::midpoint(deepest, too_deep);
        if can(middle) {
            deepest = middle;
        } else {
            too_deep = middle;
        }
    }
    Some(format!(
        "weights in 1/2^{depth} are sums of too many parts; from `--depth {coarsest}` to `--depth {deepest}`, coarser weights can be \
         compiled"
    ))
}

#[cfg(test)]
mod tests {
    use super::{Failed, are_final, depths, reasons};

    #[test]
    fn the_deepest_possible_depth_is_named() {
        let told = |depth: u32, most: u32| depths(depth, 3, &|depth| depth <= most);
        assert!(told(20, 13).unwrap().contains("1/2^20 are sums of too many parts; from `--depth 3` to `--depth 13`"));
        assert!(told(4, 3).unwrap().contains("to `--depth 3`"));
        assert_eq!((told(20, 2), told(3, 3)), (None, None));
    }

    #[test]
    fn each_reason_is_told_once() {
        let failed = |reason: &str, is_final| Failed { reason: reason.to_owned(), is_final, is_of_registers: false };
        let all = [failed("too few registers", true), failed("too large", true), failed("too few registers", true)];
        assert_eq!(reasons(&all), "too few registers; too large");
        assert!(are_final(&all) && !are_final(&[]) && !are_final(&[failed("too few nodes", false)]));
    }
}
