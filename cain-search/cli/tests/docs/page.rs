//! A page of the documentation.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use cain_codegen::generate::{Maker, RuntimePath, source};
use cain_codegen::kinds::Item;
use cain_codegen::{Overrides, Plans, blocks, kernel_file};
use cain_search::{Declaration, search};
use tempfile::TempDir;
use walkdir::WalkDir;

use crate::block::{Block, blocks as blocks_of};
use crate::{command, root};

/// The package in which the commands of a page run.
const MANIFEST: &str = "[package]\nname = \"example\"\nversion = \"0.1.0\"\nedition = \"2024\"\n";
/// The tables that distinguish a manifest from a kernel file.
const MANIFEST_TABLES: [&str; 3] = ["dependencies]", "[profile.", "[workspace"];

/// The libraries whose documentation includes pages.
const DOCUMENTED: [&str; 5] = [
    "tests/src/lib.rs",
    "cain-runtime/src/lib.rs",
    "cain-macros/src/lib.rs",
    "cain-macros/build/src/lib.rs",
    "cain-macros/codegen/src/lib.rs",
];

/// A page, and the state of its folder after its blocks.
pub(crate) struct Page {
    /// The path, relative to the root.
    path: PathBuf,
    text: String,
    folder: TempDir,
    /// The declarations on the page.
    kernels: Vec<Declaration>,
    kernel_files: Vec<PathBuf>,
}

impl Page {
    pub(crate) fn new(path: &Path) -> Self {
        let folder = tempfile::tempdir().unwrap();
        fs::create_dir(folder.path().join("src")).unwrap();
        fs::write(folder.path().join("Cargo.toml"), MANIFEST).unwrap();
        fs::write(folder.path().join("src/lib.rs"), "").unwrap();
        let text = fs::read_to_string(root().join(path)).unwrap();
        Self { path: path.to_owned(), text, folder, kernels: Vec::new(), kernel_files: Vec::new() }
    }

    /// Checks its blocks; returns the problems.
    pub(crate) fn check(mut self) -> Vec<String> {
        let mut problems = Vec::new();
        let (late, blocks): (Vec<_>, Vec<_>) =
            blocks_of(&self.text).into_iter().partition(|block| ["c", "rust,ignore"].contains(&&*block.language));
        // Programs and generated code may precede their kernels on the page.
        for block in blocks.iter().chain(&late) {
            if let Err(problem) = self.check_block(block) {
                problems.push(format!("{}:{}: {problem}", self.path.display(), block.line));
            }
        }
        problems.extend(self.stale_pictures());
        problems
    }

    /// The pictures written by commands of the page that differ from those beside the page.
    fn stale_pictures(&self) -> Vec<String> {
        let beside = root().join(&self.path);
        let made = fs::read_dir(self.folder.path()).unwrap().map(|entry| entry.unwrap().path());
        let is_stale = |made: &PathBuf| {
            let shown = beside.with_file_name(made.file_name().unwrap());
            shown.exists() && fs::read(&shown).unwrap() != fs::read(made).unwrap()
        };
        let pictures = made.filter(|made| made.extension().is_some_and(|extension| extension == "svg"));
        let problem = |made: PathBuf| {
            let name = made.file_name().unwrap().display();
            format!("{}: {name} beside the page is not what its command writes; write it again", self.path.display())
        };
        pictures.filter(is_stale).map(problem).collect()
    }

    fn check_block(&mut self, block: &Block) -> Result<(), String> {
        let Block { language, text, .. } = block;
        match language.as_str() {
            "rust" | "rust,no_run" => self.check_rust(text),
            "toml" if MANIFEST_TABLES.iter().any(|table| text.contains(table)) => check_manifest(text),
            "toml" => self.check_kernel_file(text),
            "json" => self.check_json(text),
            "console" => self.check_commands(&command::with_output(text)?),
            "sh" => self.check_commands(&command::without_output(text)),
            "c" => self.check_program(text),
            "rust,ignore" => self.check_piece(text),
            "python" if self.path == Path::new("docs/python.md") => Ok(()),
            "text" if text.contains(['│', '─', '└', '←']) || text.contains("<--") => Ok(()),
            "text" => Err("this `text` block is not a drawing; show what commands print as `console`".to_owned()),
            _ => Err(format!("there is no test for blocks of the language `{language}`")),
        }
    }

    fn check_rust(&mut self, text: &str) -> Result<(), String> {
        if !DOCUMENTED.iter().any(|library| self.is_included_by(library)) {
            return Err("the page is not among the documentation tests; add it to tests/src/lib.rs".to_owned());
        }
        self.kernels.extend(blocks::read(text).filters().into_iter().map(|declared| declared.of.declaration));
        fs::write(self.folder.path().join("src/lib.rs"), text).unwrap();
        Ok(())
    }

    /// Whether the source of a library includes the page in its documentation.
    fn is_included_by(&self, library: &str) -> bool {
        let library = root().join(library);
        let source = fs::read_to_string(&library).unwrap();
        let mut included = source.split("include_str!(\"").skip(1).filter_map(|rest| rest.split('"').next());
        let page = root().join(&self.path).canonicalize().unwrap();
        included.any(|path| library.with_file_name("").join(path).canonicalize().is_ok_and(|path| path == page))
    }

    fn check_kernel_file(&mut self, text: &str) -> Result<(), String> {
        if text.contains("[automaton.") {
            // These are the weights that the training wrote.
            let folder = root().join("examples/training");
            let mut read = |file: &str| fs::read(folder.join(file)).map_err(|error| error.to_string());
            return kernel_file::parse_automata(text, &mut read)
                .map(drop)
                .map_err(|problems| problems.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n"));
        }
        if text.contains("[in_pixel.") {
            // These are the weights of the example.
            let folder = root().join("examples/src/in_pixel");
            let mut read = |file: &str| fs::read(folder.join(file)).map_err(|error| error.to_string());
            return kernel_file::parse_in_pixel(text, &mut read)
                .map(drop)
                .map_err(|problems| problems.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n"));
        }
        let has_programs = text.contains("program = ");
        if text.contains("[network.") && !has_programs {
            let refuse = |file: &str| Err(format!("{file} is not on the page"));
            return kernel_file::parse_networks(text, &mut { refuse })
                .map(drop)
                .map_err(|problems| problems.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n"));
        }
        if !text.contains("inputs") && !has_programs {
            let file = self.folder.path().join("machine.toml");
            fs::write(&file, text).unwrap();
            return kernel_file::load_machine(&file).map(drop).map_err(|error| error.to_string());
        }
        let filters = kernel_file::parse_any(text, Overrides::default())
            .map_err(|problems| problems.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n"))?;
        // The first line may name the file.
        let name = text.lines().next().and_then(|line| line.strip_prefix("# ")).filter(|name| !name.contains(' '));
        let file = self.folder.path().join(name.unwrap_or("kernels.toml"));
        fs::write(&file, text).unwrap();
        let all = filters.len();
        let analogue = filters
            .into_iter()
            .filter_map(|item| if let Item::Kernel(filter) = item { Some(filter.of.declaration) } else { None });
        let analogue: Vec<_> = analogue.collect();
        // Digital filters do not become functions.
        if analogue.len() == all {
            self.kernel_files.push(file);
        }
        self.kernels.extend(analogue);
        Ok(())
    }

    fn check_json(&self, text: &str) -> Result<(), String> {
        let value: serde_json::Value = serde_json::from_str(text).map_err(|error| error.to_string())?;
        if value.get("filter").is_none() {
            return Ok(());
        }
        fs::write(self.folder.path().join("cain.json"), text).unwrap();
        self.check_commands(&command::without_output("cain import cain.json"))
    }

    fn check_commands(&self, lines: &[command::Line<'_>]) -> Result<(), String> {
        lines.iter().find_map(|line| line.problem(self.folder.path())).map_or(Ok(()), Err)
    }

    fn check_program(&self, text: &str) -> Result<(), String> {
        let mut programs = self.kernels.iter().filter_map(|kernel| search(kernel).ok()).map(|found| {
            let lines = found.program.listing().iter().map(|line| format!("{line}\n"));
            lines.collect::<String>()
        });
        let is_program = programs.any(|program| program == text);
        if is_program { Ok(()) } else { Err("no kernel of the page has this program".to_owned()) }
    }

    fn check_piece(&self, text: &str) -> Result<(), String> {
        let named = blocks::read(text).files;
        if !named.is_empty() {
            let is_missing = |path: &&str| !self.folder.path().join("src").join(path).exists();
            let missing = named.iter().map(|file| &*file.path).find(is_missing);
            return missing.map_or(Ok(()), |path| Err(format!("no kernel file of the page is `{path}`")));
        }
        // The first line may name the file.
        let piece = text.lines().filter(|line| !line.starts_with("// ")).collect::<String>();
        let examples = WalkDir::new(root().join("examples")).into_iter().map(Result::unwrap);
        let examples = examples.filter(|entry| entry.path().extension().is_some_and(|extension| extension == "rs"));
        let examples = examples.map(|entry| fs::read_to_string(entry.path()).unwrap());
        let runtime = RuntimePath::default();
        let generated = self
            .kernel_files
            .iter()
            .map(|file| source(file, &runtime, &Plans::none(), Maker { name: "", runtime_option: "" }, |_| ()));
        let mut sources = examples.chain(generated.map(|source| source.unwrap().text));
        let is_found = sources.any(|source| shortened(&source).contains(&shortened(&piece)));
        if is_found {
            return Ok(());
        }
        Err("no example and no generated code of the page contains this".to_owned())
    }
}

/// Reads tables of a manifest as cargo does.
fn check_manifest(text: &str) -> Result<(), String> {
    let project = tempfile::tempdir().unwrap();
    fs::create_dir(project.path().join("src")).unwrap();
    fs::write(project.path().join("src/lib.rs"), "").unwrap();
    fs::write(project.path().join("Cargo.toml"), format!("{MANIFEST}{text}")).unwrap();
    let mut cargo = Command::new(env!("CARGO"));
    cargo.args(["metadata", "--no-deps", "--offline", "--format-version=1"]).current_dir(&project);
    let output = cargo.output().unwrap();
    let message = String::from_utf8_lossy(&output.stderr);
    if output.status.success() && message.is_empty() { Ok(()) } else { Err(message.into_owned()) }
}

/// The code without irrelevant differences: the paths of generated code, spaces, and commas at the end of lists.
fn shortened(code: &str) -> String {
    let code = code.replace("::cain_runtime::", "").replace("::core::result::", "");
    let code: String = code.split_whitespace().collect();
    code.replace(",)", ")").replace(",>", ">")
}
