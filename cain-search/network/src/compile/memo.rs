//! A memory of search results for different budgets.

/// The results of searches for declarations, each with its number of nodes.
///
/// The course of a search never depends on its budget. So a search with fewer nodes finds the same program, if that was
/// found before these were used up; and if a search finds nothing, one with fewer nodes finds nothing either.
#[derive(Debug)]
pub(super) struct Memo<D, P, E> {
    entries: Vec<Entry<D, P, E>>,
}

#[derive(Debug)]
struct Entry<D, P, E> {
    declaration: D,
    nodes: u64,
    found: Result<Found<P>, E>,
}

/// A program, and the number of nodes used until it was found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Found<P> {
    pub(super) program: P,
    pub(super) nodes: u64,
}

impl<D, P, E> Default for Memo<D, P, E> {
    fn default() -> Self {
        Self { entries: Vec::new() }
    }
}

impl<D: Clone + PartialEq, P: Clone, E: Clone> Memo<D, P, E> {
    /// The result of a search with this many nodes, now or earlier.
    pub(super) fn find(
        &mut self,
        declaration: &D,
        nodes: u64,
        search: impl FnOnce() -> Result<Found<P>, E>,
    ) -> Result<Found<P>, E> {
        let tells = |entry: &&Entry<D, P, E>| {
            let is_within = |found: &Found<P>| found.nodes < nodes;
            let is_prefix = || entry.nodes > nodes && entry.found.as_ref().map_or(true, is_within);
            entry.declaration == *declaration && (entry.nodes == nodes || is_prefix())
        };
        if let Some(entry) = self.entries.iter().find(tells) {
            return entry.found.clone();
        }
        let found = search();
        self.entries.push(Entry { declaration: declaration.clone(), nodes, found: found.clone() });
        found
    }
}

#[cfg(test)]
mod tests {
    use super::{Found, Memo};

    /// A search that finds a better program at each of these numbers of nodes.
    fn found(better: &[u64], nodes: u64) -> Result<Found<u64>, ()> {
        let last = better.iter().rposition(|&at| at <= nodes).ok_or(())?;
        Ok(Found { program: u64::try_from(last).unwrap(), nodes: better[last] })
    }

    #[test]
    fn smaller_budgets_need_a_search_only_where_they_may_find_something_else() {
        let better = [30, 700, 900];
        let mut memo = Memo::default();
        let mut searches = vec![];
        for nodes in [10_000, 5_000, 900, 800, 500, 100, 30, 20, 10, 500] {
            let program = memo.find(&"kernel", nodes, || {
                searches.push(nodes);
                found(&better, nodes)
            });
            assert_eq!(program, found(&better, nodes), "{nodes}");
        }
        // At 900 and at 30 nodes, the last program counts only if the search itself says so.
        assert_eq!(searches, [10_000, 900, 800, 500, 30, 20]);
        assert_eq!(memo.find(&"other", 5, || Err(())), Err(()));
    }
}
