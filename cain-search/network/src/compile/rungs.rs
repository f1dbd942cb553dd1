//! The budgets with which a network is compiled in turn.

/// The leading digits of the budgets.
const DIGITS: [u64; 6] = [1, 2, 3, 4, 5, 7];

/// The numbers 1, 2, 3, 4, 5, 7, 10, 20, 30 and so on up to a budget, the largest one first.
///
/// The series is the same for all budgets, so that a larger one includes everything that a smaller one does. Together
/// they are less than four times the largest.
pub(super) fn rungs(budget: u64) -> impl Iterator<Item = u64> {
    let decades = std::iter::successors(Some(1_u64), |decade| decade.checked_mul(10));
    let rungs = decades.flat_map(|decade| DIGITS.into_iter().filter_map(move |times| decade.checked_mul(times)));
    let rungs: Vec<u64> = rungs.take_while(|&rung| rung <= budget.max(1)).collect();
    rungs.into_iter().rev()
}

#[cfg(test)]
mod tests {
    use super::rungs;

    #[test]
    fn larger_budgets_cover_more() {
        let of = |budget| rungs(budget).collect::<Vec<_>>();
        assert_eq!(of(0), [1]);
        assert_eq!(of(130), [100, 70, 50, 40, 30, 20, 10, 7, 5, 4, 3, 2, 1]);
        assert_eq!(of(u64::MAX).len(), 115);
        for budget in 1..3_000 {
            assert!(of(budget + 1).ends_with(&of(budget)));
            let largest = of(budget)[0];
            assert!(of(budget).iter().sum::<u64>() < 4 * largest && 2 * largest > budget, "{budget}");
        }
    }
}
