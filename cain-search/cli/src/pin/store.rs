//! Writing plans without losing better ones.

use std::fs;
use std::io;
use std::thread::sleep;
use std::time::{Duration, Instant};

use cain_codegen::draft::Draft;
use cain_codegen::kinds::Kind;
use cain_codegen::plan_file::PlanFolder;
use cain_codegen::printable::Printable;

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

/// Writes the plan of a program under that name. If the file already has a valid plan of what is declared that is at least
/// as good, keeps it and returns its program.
///
/// The file is read again, because another process may have written it since the search began.
pub(crate) fn store<K: Kind>(
    plans: &PlanFolder,
    name: &str,
    declared: &K,
    found: &K::Program,
) -> io::Result<Option<K::Program>> {
    let _lock = lock(plans)?;
    if let Ok(Some(existing)) = declared.load_from(plans, name)
        && !K::is_better(found, &existing)
    {
        return Ok(Some(existing));
    }
    files::overwrite(&plans.file(name), &K::plan_file(found).to_string())?;
    Ok(None)
}

/// Keeps other processes from writing plans in the folder while the returned file exists.
fn lock(plans: &PlanFolder) -> io::Result<Draft> {
    let start = Instant::now();
    loop {
        match Draft::named(plans.path().join(LOCK)) {
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

    use cain_codegen::kinds::{Kernel, Kind as _};
    use cain_codegen::plan_file::PlanFolder;
    use cain_isa::Stop;
    use cain_search::{Solution, Statistics, search, verify};

    use super::{LOCK, prepare, store};

    /// A filter, and two programs for it; the second one is better.
    fn solutions() -> (Kernel, [Solution; 2]) {
        let source = "scamp_kernels! { #[search(isa = macro, offset = any, max_gain = any)] fn gauss(A) -> A using (B, C, D) = 1/16 * [[1, 2, 1], [2, 4, 2], [1, 2, 1]]; }";
        let kernel = cain_codegen::blocks::read(source).filters().remove(0).of;
        let solutions = [1, 2_000].map(|nodes| search(&kernel.with_nodes(nodes).declaration).unwrap());
        // All readers of these plans have the same budget.
        let kernel = kernel.with_nodes(2_000);
        let solutions = solutions.map(|Solution { program, statistics }| {
            let program = verify(&kernel.declaration, program.listing()).unwrap();
            Solution { program, statistics }
        });
        assert!(solutions[0].program.listing().len() > solutions[1].program.listing().len());
        (kernel, solutions)
    }

    #[test]
    fn only_better_programs_replace() {
        let folder = tempfile::tempdir().unwrap();
        let plans = PlanFolder::new(folder.path().join("plans"), "plans");
        let (kernel, [long, short]) = solutions();
        let store = |found: &Solution| store(&plans, "gauss", &kernel, found).unwrap();
        prepare(&plans).unwrap();
        let statistics = Statistics { stop: Stop::Interrupted, ..long.statistics };
        let cut = Solution { statistics, ..long.clone() };
        assert_eq!(store(&cut), None);
        assert_eq!(store(&long), None);
        assert_eq!(store(&cut), Some(long.clone()));
        assert_eq!(store(&short), None);
        assert_eq!(store(&long), Some(short.clone()));
        assert_eq!(store(&short), Some(short.clone()));
        fs::write(plans.file("gauss"), "something else").unwrap();
        assert_eq!(store(&long), None);
        assert_eq!(fs::read_dir(plans.path()).unwrap().count(), 1);
    }

    /// The best plan remains, whatever the order of the writers.
    #[test]
    fn writers_wait_for_each_other() {
        let (kernel, [long, short]) = solutions();
        for _ in 0..50 {
            let folder = tempfile::tempdir().unwrap();
            let plans = PlanFolder::new(folder.path(), "plans");
            let start = Barrier::new(4);
            let write = |solution| {
                start.wait();
                store(&plans, "gauss", &kernel, solution).unwrap();
            };
            thread::scope(|scope| {
                for solution in [&long, &short, &long, &long] {
                    scope.spawn(move || write(solution));
                }
            });
            assert_eq!(kernel.load(&plans).unwrap().unwrap().0, short);
            assert!(!folder.path().join(LOCK).exists());
        }
    }
}
