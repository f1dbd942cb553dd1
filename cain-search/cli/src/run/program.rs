//! The program to run: a text, or the program of a filter.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};

use cain_analysis::prove::Reach;
use cain_codegen::Overrides;
use cain_codegen::kernel_file::{self, Filter};
use cain_codegen::kinds::{Item, Part};
use cain_codegen::printable::Printable;
use cain_codegen::text_file::{self, ReadError};
use cain_codegen::{blocks, plan_file, program_file};
use cain_isa::{ErrorModel, Machine, Reg};

use super::Run;
use super::text::{self, Statement, Unproved};
use super::whole::Whole;
use crate::options::Search;
use crate::search::{Stale, of_build};
use crate::sources::{Declared, Reading, STANDARD_INPUT, load, read_text, select, standard_input};
use crate::watch::Interrupt;

/// The largest program text that is read: some hundred thousand instructions.
const MAX_BYTES: u64 = 4 << 20;

/// A program with the machine that it is for.
pub(crate) struct Program {
    pub(crate) code: Unproved,
    /// The file with the program.
    pub(crate) file: PathBuf,
    pub(crate) machine: Machine,
    pub(crate) errors: ErrorModel,
    /// The registers that the picture is loaded into.
    pub(crate) inputs: Vec<Reg>,
    /// How far the results of a filter depend on other PEs; nothing is known of those of a text.
    pub(crate) border: Reach,
}

/// What the arguments name.
pub(crate) enum Chosen {
    /// A program text, or that of a filter.
    Text(Box<Program>),
    /// A whole program.
    Whole(Box<Whole>),
}

impl Chosen {
    fn text(program: Program) -> Self {
        Self::Text(Box::new(program))
    }
}

/// The program that the arguments name, or one line for each problem that has not been reported yet.
pub(crate) fn chosen(args: &Run, interrupt: &Interrupt) -> Result<Chosen, Vec<String>> {
    let reading =
        Reading { overrides: Overrides::default(), plans: None, networks: false, programs: true, packages_below: true };
    let names: Vec<String> = args.name.iter().cloned().collect();
    let found = if args.file == Path::new(STANDARD_INPUT) {
        let text = standard_input().map_err(|error| vec![format!("-: cannot be read: {error}")])?;
        if !declares_filters(&text) {
            return of_text(args, &text).map(Chosen::text);
        }
        select(&args.file, &names, read_text(&text, &reading))
    } else if is_declaration(&args.file) {
        load(&args.file, &names, &reading)
    } else {
        let text = read(&args.file)?;
        if plan_file::read(&text, &args.file).is_none() {
            return of_text(args, &text).map(Chosen::text);
        }
        load(&args.file, &names, &reading)
    };
    let found = found.ok_or_else(Vec::new)?;
    let whole: Vec<_> = found
        .iter()
        .filter_map(
            |declared| if let Item::Vision(program) = &declared.item { Some((declared, program)) } else { None },
        )
        .collect();
    let file = Printable(args.file.display());
    match (whole.as_slice(), options_of_whole(args)) {
        (&[(declared, program)], _) if found.len() == 1 => {
            return Whole::new(args, declared, program, interrupt).map(|whole| Chosen::Whole(Box::new(whole)));
        }
        ([], None) => {}
        ([], Some(option)) => {
            return Err(vec![format!("{file}: `{option}` is for whole programs; a filter takes `--image`")]);
        }
        _ => {
            let names: Vec<_> = found.iter().map(|declared| format!("`{}`", declared.item.name())).collect();
            return Err(vec![format!("{file}: a run is of one program; name one of {}", names.join(", "))]);
        }
    }
    if found.iter().all(|declared| declared.kernel().is_err()) {
        return Err(found.iter().filter_map(|declared| declared.kernel().err()).collect());
    }
    let filters: Vec<_> = found.iter().filter_map(|declared| Some((declared, declared.kernel().ok()?))).collect();
    of_filter(args, &filters, interrupt).map(Chosen::text)
}

/// An option that was given and is for whole programs.
fn options_of_whole(args: &Run) -> Option<&'static str> {
    let given = [
        ("--frames", !args.frames.is_empty()),
        ("--param", !args.params.is_empty()),
        ("--planes", args.planes.is_some()),
        ("--animate", args.animate.is_some()),
        ("--check", args.check),
    ];
    given.into_iter().find(|(_, is_given)| *is_given).map(|(option, _)| option)
}

/// Whether a text from the standard input is something other than a program.
fn declares_filters(text: &str) -> bool {
    let first = text.lines().map(str::trim).find(|line| !line.is_empty()).unwrap_or_default();
    // Programs have C comments and no brackets.
    first.starts_with(['#', '['])
        || kernel_file::has_programs(text)
        || [blocks::NAME, blocks::PROGRAM_NAME].iter().any(|name| text.contains(name))
}

/// Whether a path is that of a source of filters, not of a program.
fn is_declaration(path: &Path) -> bool {
    let endings = ["rs", "toml", program_file::EXTENSION].map(OsStr::new);
    path.is_dir() || path.extension().is_some_and(|ending| endings.contains(&ending))
}

fn read(path: &Path) -> Result<String, Vec<String>> {
    let file = Printable(path.display());
    text_file::read(path, MAX_BYTES).map_err(|error| {
        vec![match error {
            ReadError::Unreadable(error) => format!("{file}: cannot be read: {error}"),
            ReadError::TooLarge => format!("{file}: the program is larger than {MAX_BYTES} bytes; split it"),
            ReadError::NotUtf8(place) => {
                format!("{file}:{place}: the file is not UTF-8 from here on; save it as UTF-8")
            }
        }]
    })
}

fn of_text(args: &Run, text: &str) -> Result<Program, Vec<String>> {
    let file = Printable(args.file.display());
    if let Some(name) = &args.name {
        return Err(vec![format!("{file}: this is a program without filters; leave out `{}`", Printable(name))]);
    }
    let (machine, errors) = args.machine()?;
    let code = text::parse(text, machine)
        .map_err(|mistakes| mistakes.iter().map(|mistake| format!("{file}:{mistake}")).collect::<Vec<_>>())?;
    Ok(Program {
        code,
        file: args.file.clone(),
        machine,
        errors,
        inputs: inputs_of_text(args),
        border: Reach::default(),
    })
}

/// The registers into which pictures are loaded before a text is run: those named with pictures, and one for the
/// picture without a name.
fn inputs_of_text(args: &Run) -> Vec<Reg> {
    let unnamed = || args.input.unwrap_or(Reg::A);
    if args.images.is_empty() {
        return vec![unnamed()];
    }
    args.images.iter().map(|image| image.register.unwrap_or_else(unnamed)).collect()
}

/// The program that a build uses for the only one of these filters.
fn of_filter(args: &Run, found: &[(&Declared, &Filter)], interrupt: &Interrupt) -> Result<Program, Vec<String>> {
    let file = Printable(args.file.display());
    let [(declared, filter)] = found else {
        let names: Vec<_> = found.iter().map(|(_, filter)| format!("`{}`", filter.name())).collect();
        return Err(vec![format!("{file}: a run is of one filter; name one of {}", names.join(", "))]);
    };
    if args.registers.is_some() {
        return Err(vec![format!("{file}: the filter says for which machine it is; leave out `--registers`")]);
    }
    interrupt.listen();
    let compiled = of_build(filter, &declared.plans, Stale::Told, &Search::default(), interrupt);
    let (compiled, notices) = compiled.map_err(|problem| vec![declared.locate(&problem)])?;
    let plan = filter.plan(compiled);
    for notice in notices {
        eprintln!("{}", declared.locate(&notice));
    }
    let declaration = plan.declaration();
    let errors = args.errors_for(&declaration.machine, declaration.options.error_model)?;
    let at = filter.place(Part::Whole);
    let statements = plan.listing().iter().map(|&instruction| Statement { instruction, at, block: 0 }).collect();
    Ok(Program {
        code: Unproved { statements },
        file: declared.file.clone(),
        machine: declaration.machine,
        errors,
        inputs: args.input.map_or_else(|| declaration.inputs.iter().map(|input| input.reg).collect(), |reg| vec![reg]),
        border: plan.solution.program.reach(),
    })
}
