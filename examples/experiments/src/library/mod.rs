//! The page that lists the public programs, with a picture of each.

mod page;
mod rows;
mod running;
mod scenes;
mod strip;

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use clap::Args;

use crate::files::{prepare, write};
use crate::interrupt::Interrupt;
use page::{Compared, Found};
use rows::{Anchor, Hand, Listed, Row};
use scenes::Scenes;

/// The page of public programs, docs/library.md, with a picture of each
///
/// The programs are those in `examples/programs/library.toml`. Each is compiled and run on the simulated array, on frames that
/// are drawn here. The same checkout gives the same files on every machine.
#[derive(Args)]
pub(crate) struct Library {
    /// The checkout
    #[arg(long, value_name = "DIR", default_value = ".")]
    pub(crate) root: PathBuf,

    /// Write the page and the folder `library` with its pictures into this folder
    #[arg(long, value_name = "DIR", default_value = "docs")]
    pub(crate) out: PathBuf,
}

/// The folder of the programs, in the checkout.
const PROGRAMS: &str = "examples/programs";

/// Writes the page and its pictures; returns whether that was completed, or what is wrong.
pub(crate) fn library(args: &Library, interrupt: &Interrupt) -> Result<bool, String> {
    let list = args.root.join(PROGRAMS).join("library.toml");
    let problem = |error: &dyn std::fmt::Display| format!("{}: {error}", list.display());
    let text = fs::read_to_string(&list).map_err(|error| problem(&error))?;
    let library: Listed = toml::from_str(&text).map_err(|error| problem(&error))?;
    let scenes = Scenes::new(&args.root)?;

    let mut pictures = Vec::new();
    let mut found: Vec<Found> = Vec::new();
    let mut known: BTreeMap<&str, usize> = BTreeMap::new();
    for row in library.group.iter().flat_map(|group| &group.program) {
        if interrupt.is_pressed() {
            eprintln!("ended by Ctrl-C; nothing is written");
            return Ok(false);
        }
        let Some(program) = row.program.as_deref() else {
            found.push(Found::default());
            continue;
        };
        if row.picture.shown.is_empty() {
            let before = known.get(program).and_then(|place| found.get(*place));
            found.push(before.cloned().ok_or_else(|| format!("{program}: nothing is shown of it"))?);
            continue;
        }
        let (of, picture) = look(&args.root, row, &scenes).map_err(|problem| format!("{program}: {problem}"))?;
        known.insert(program, found.len());
        pictures.push((page::picture(program), picture));
        found.push(of);
    }
    let anchors =
        library.anchor.iter().map(|anchor| compare(anchor, &library, &found)).collect::<Result<Vec<_>, _>>()?;
    let page = page::page(&library, &found, &anchors);
    let folder = args.out.join(page::PICTURES);
    let written = prepare(&folder)
        .and_then(|()| write(&folder, &pictures))
        .and_then(|()| write(&args.out, &[("library.md".to_owned(), page)]));
    written.map_err(|error| format!("{}: cannot be written: {error}", args.out.display()))?;
    Ok(true)
}

/// Runs the program of a row; returns what was found, and the picture.
fn look(root: &Path, row: &Row, scenes: &Scenes) -> Result<(Found, Vec<u8>), String> {
    let (file, name) = row.declared().ok_or("not declared")?;
    let path = root.join(PROGRAMS).join(format!("{file}.cain"));
    let compiled = running::compile(&running::declaration(&path, name)?)?;
    let ran = running::run(&compiled, &row.picture, scenes)?;
    let picture = strip::strip(&ran, &row.picture)?;
    Ok((Found { costs: Some((ran.took, ran.longest)), told: page::told(&ran.results) }, picture))
}

/// The words of something and those by hand.
fn compare(anchor: &Anchor, library: &Listed, found: &[Found]) -> Result<Compared, String> {
    let problem = |what: &str| format!("`{}`: {what}", anchor.what);
    let (took, hand) = if let Some(text) = &anchor.text {
        let compiled = running::compile(&running::of_text(text)?)?;
        (Hand { words: running::longest(&compiled).words, levels: 0, regions: 0 }, anchor.hand)
    } else {
        let mut rows = library.group.iter().flat_map(|group| &group.program).zip(found);
        let of = rows.find(|(row, _)| row.program.is_some() && row.program == anchor.row);
        let (row, found) = of.ok_or_else(|| problem("no such row"))?;
        (found.costs.ok_or_else(|| problem("its row is not declared"))?.0, row.hand)
    };
    let hand = hand.ok_or_else(|| problem("no words by hand"))?;
    Ok(Compared { what: anchor.what.clone(), took, hand })
}
