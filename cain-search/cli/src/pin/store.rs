//! Writing plans without losing better ones.

use std::fs;
use std::io;
use std::thread::sleep;
use std::time::{Duration, Instant};

use cain_codegen::plan_file::{BitsPlan, NetworkPlanFile, OnBits, PlanFile, PlanFolder};
use cain_codegen::printable::Printable;
use cain_isa::Stop;
use cain_search::{Solution, Statistics, compare};
use tempfile::{Builder, NamedTempFile};

use crate::files;

/// The file that exists while a plan is being replaced.
const LOCK: &str = ".pin.lock";
/// How long to wait for another process; it needs only milliseconds to compare and write.
const PATIENCE: Duration = Duration::from_secs(10);

/// Creates the folder if necessary; fails if nothing can be written there.
pub(crate) fn prepare(plans: &PlanFolder) -> io::Result<()> {
    fs::create_dir_all(plans.path())?;
    files::prepare(plans.path())?;
    lock(plans).map(drop)
}

/// Writes the plan of a program under that name. If the file already has a valid plan that is at least as good, keeps
/// it and returns it.
///
/// The file is read again, because another process may have written it since the search began.
pub(crate) fn store(plans: &PlanFolder, name: &str, found: &Solution) -> io::Result<Option<Solution>> {
    let declaration = found.program.declaration();
    let _lock = lock(plans)?;
    if let Ok(Some(existing)) = plans.load_from(name, declaration)
        && !is_better(found, &existing)
    {
        return Ok(Some(existing));
    }
    write(plans, name, PlanFile::new(found).to_string())?;
    Ok(None)
}

/// Writes the plan of a network.
pub(crate) fn store_network(plans: &PlanFolder, name: &str, file: &NetworkPlanFile) -> io::Result<()> {
    prepare(plans)?;
    let _lock = lock(plans)?;
    write(plans, name, file.to_string())
}

fn write(plans: &PlanFolder, name: &str, text: String) -> io::Result<()> {
    let file = plans.file(name);
    let name = file.file_name().unwrap_or_default().to_string_lossy().into_owned();
    files::write_all(plans.path(), &[(name, text)])
}

/// Writes the plan of a filter on bits, unless the file already has a valid one that is at least as good.
pub(crate) fn store_bits<D: OnBits>(
    plans: &PlanFolder,
    name: &str,
    found: &D::Solution,
) -> io::Result<Option<D::Solution>> {
    let _lock = lock(plans)?;
    let cost = |solution: &D::Solution| (D::words(solution), D::statistics(solution).stop == Stop::Interrupted);
    if let Ok(Some(existing)) = plans.load_bits_from(name, D::of(found))
        && cost(&existing) <= cost(found)
    {
        return Ok(Some(existing));
    }
    write(plans, name, BitsPlan::new::<D>(found).to_string())?;
    Ok(None)
}

/// Whether a program costs less than the existing one, or as much and more was proved about it.
fn is_better(found: &Solution, existing: &Solution) -> bool {
    let (ours, theirs) = (&found.program, &existing.program);
    let order = compare(ours.declaration(), ours.listing(), theirs.listing());
    order.is_lt() || order.is_eq() && is_better_known(&found.statistics, &existing.statistics)
}

/// Whether more was proved, or a search that had been cut short was completed.
fn is_better_known(found: &Statistics, existing: &Statistics) -> bool {
    let proved = |search: &Statistics| (search.stop == Stop::Proved, search.lower_bound);
    let is_cut = |search: &Statistics| search.stop == Stop::Interrupted;
    let is_completed = is_cut(existing) && !is_cut(found) && found.nodes >= existing.nodes;
    proved(found) > proved(existing) || proved(found) == proved(existing) && is_completed
}

/// Keeps other processes from writing plans in the folder while the returned file exists.
fn lock(plans: &PlanFolder) -> io::Result<NamedTempFile> {
    let start = Instant::now();
    loop {
        let locked = Builder::new().prefix(LOCK).rand_bytes(0).tempfile_in(plans.path());
        match locked {
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {
                if start.elapsed() > PATIENCE {
                    let held = "another `cain pin` is writing there; if none is, delete the file";
                    return Err(io::Error::other(format!("{held} `{}`", Printable(plans.path().join(LOCK).display()))));
                }
                sleep(Duration::from_millis(5));
            }
            locked => return locked,
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Barrier;
    use std::{fs, thread};

    use cain_codegen::plan_file::PlanFolder;
    use cain_isa::Stop;
    use cain_search::{Declaration, Solution, Statistics, search, verify};

    use super::{LOCK, prepare, store};

    /// A filter, and two programs for it; the second one is better.
    fn solutions() -> (Declaration, [Solution; 2]) {
        let source = "scamp_kernels! { #[search(isa = macro, offset = any, max_gain = any)] fn gauss(A) -> A using (B, C, D) = 1/16 * [[1, 2, 1], [2, 4, 2], [1, 2, 1]]; }";
        let mut declaration = cain_codegen::blocks::read(source).filters().remove(0).of.declaration;
        let solutions = [1, 2_000].map(|nodes| {
            declaration.options.nodes = nodes;
            search(&declaration).unwrap()
        });
        // All readers of these plans have the same budget.
        let solutions = solutions.map(|Solution { program, statistics }| {
            let program = verify(&declaration, program.listing()).unwrap();
            Solution { program, statistics }
        });
        assert!(solutions[0].program.listing().len() > solutions[1].program.listing().len());
        (declaration, solutions)
    }

    #[test]
    fn only_better_programs_replace() {
        let folder = tempfile::tempdir().unwrap();
        let plans = PlanFolder::new(folder.path().join("plans"), "plans");
        let (_, [long, short]) = solutions();
        prepare(&plans).unwrap();
        let statistics = Statistics { stop: Stop::Interrupted, ..long.statistics };
        let cut = Solution { statistics, ..long.clone() };
        assert_eq!(store(&plans, "gauss", &cut).unwrap(), None);
        assert_eq!(store(&plans, "gauss", &long).unwrap(), None);
        assert_eq!(store(&plans, "gauss", &cut).unwrap(), Some(long.clone()));
        assert_eq!(store(&plans, "gauss", &short).unwrap(), None);
        assert_eq!(store(&plans, "gauss", &long).unwrap(), Some(short.clone()));
        assert_eq!(store(&plans, "gauss", &short).unwrap(), Some(short.clone()));
        fs::write(plans.file("gauss"), "something else").unwrap();
        assert_eq!(store(&plans, "gauss", &long).unwrap(), None);
        assert_eq!(fs::read_dir(plans.path()).unwrap().count(), 1);
    }

    /// The best plan remains, whatever the order of the writers.
    #[test]
    fn writers_wait_for_each_other() {
        let (declaration, [long, short]) = solutions();
        for _ in 0..50 {
            let folder = tempfile::tempdir().unwrap();
            let plans = PlanFolder::new(folder.path(), "plans");
            let start = Barrier::new(4);
            let write = |solution| {
                start.wait();
                store(&plans, "gauss", solution).unwrap();
            };
            thread::scope(|scope| {
                for solution in [&long, &short, &long, &long] {
                    scope.spawn(move || write(solution));
                }
            });
            assert_eq!(plans.load(&declaration).unwrap().unwrap().0, short);
            assert!(!folder.path().join(LOCK).exists());
        }
    }
}
