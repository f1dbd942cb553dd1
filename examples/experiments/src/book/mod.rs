//! Searches for the programs of the opening book.

mod job;
mod list;
mod pages;

use std::path::Path;
use std::sync::{Mutex, PoisonError};
use std::{fs, io};

use cain_search::InstructionSet;
use rayon::iter::{IntoParallelIterator as _, IntoParallelRefIterator as _, ParallelIterator as _};

use crate::args;
use crate::files::write;
use crate::interrupt::Interrupt;
use crate::sampling::progress;

use job::{Form, Job, SETS};
use list::Kernels;
use pages::Pages;

/// The most searches for the same kernels in the same form, each in fewer registers than the one before used.
const MOST_SEARCHES: usize = 2;

/// Searches for all programs that the file does not have from as large a budget, and writes each of them; returns whether
/// that was completed.
pub(crate) fn book(args: &args::Book, interrupt: &Interrupt) -> io::Result<bool> {
    let list = list::kernels();
    let old = if args.file.exists() { fs::read_to_string(&args.file)? } else { String::new() };
    let pages = Mutex::new(Pages::read(&old));
    // What is most usual comes first.
    let series: Vec<_> = SETS
        .iter()
        .flat_map(|set| list.iter().map(move |kernels| (set, kernels)))
        .flat_map(|(set, kernels)| Form::ALL.map(|form| (set, form, kernels)))
        .collect();
    let line = progress("book", "kernels", series.len() as u64);
    let one = |&(set, form, kernels): &(&'static (&str, InstructionSet), Form, &Kernels)| -> io::Result<()> {
        let mut more = form.most(kernels);
        for _ in 0..MOST_SEARCHES {
            let job = Job { set, form, kernels, more, nodes: args.nodes };
            let locked = || pages.lock().unwrap_or_else(PoisonError::into_inner);
            let known = locked().least(&job);
            let least = match known {
                Some(least) => Some(least),
                None if interrupt.is_pressed() => None,
                None => match job.search(interrupt) {
                    Some((title, entry)) => {
                        let mut pages = locked();
                        pages.put(&job, title, entry);
                        replace(&args.file, &pages.text(list))?;
                        pages.least(&job)
                    }
                    None => None,
                },
            };
            let Some(fewer) = least.and_then(|least: usize| least.checked_sub(1)) else { break };
            more = fewer;
        }
        line.inc(1);
        Ok(())
    };
    cain_search::threads::lend(|count, task| (0..count).into_par_iter().for_each(task));
    let search_all = || series.par_iter().try_for_each(one);
    let pool = rayon::ThreadPoolBuilder::new().num_threads(args.threads.map_or(0, usize::from)).build();
    pool.map_or_else(|_| search_all(), |pool| pool.install(search_all))?;
    line.finish_and_clear();
    Ok(!interrupt.is_pressed())
}

/// Replaces a file completely or not at all.
fn replace(file: &Path, text: &str) -> io::Result<()> {
    let folder = file.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let name = file.file_name().ok_or(io::ErrorKind::InvalidInput)?.to_string_lossy().into_owned();
    write(folder, &[(name, text)])
}
