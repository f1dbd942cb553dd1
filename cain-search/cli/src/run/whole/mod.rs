//! Runs whole programs on the frames of a video.

mod animation;
mod check;
mod differing;
mod given;
mod report;

use std::io;

use cain_analysis::owned::SIDE;
use cain_codegen::kinds::{Kind as _, Part, Placed, Vision};
use cain_codegen::printable::Printable;
use cain_isa::ErrorModel;
use cain_runtime::io::Size;
use cain_vision::Compiled;
use cain_vision::declaration::{Declaration, Kind, Output, Result as Outcome, Value};

use super::{Model, Run};
use crate::chip::{Conditions, Running};
use crate::files::check_folder;
use crate::options::Search;
use crate::search::{Stale, of_build};
use crate::sources::Declared;
use crate::watch::Interrupt;
use animation::Animations;
use check::Checked;
use given::Given;
use report::Report;

/// A whole program with the settings of a run.
pub(crate) struct Whole {
    compiled: Compiled,
    given: Given,
    /// The number for each parameter.
    parameters: Vec<i64>,
}

impl Whole {
    /// The program of a declaration, if the arguments suit it; or one line for each problem.
    pub(super) fn new(
        args: &Run,
        declared: &Declared,
        program: &Placed<Vision>,
        interrupt: &Interrupt,
    ) -> Result<Self, Vec<String>> {
        let file = Printable(args.file.display());
        if let Some(option) = other_options(args) {
            return Err(vec![format!("{file}: `{option}` is for filters; a whole program takes `--frames`")]);
        }
        for folder in args.folder_of_whole().into_iter().chain(args.animate.as_deref()) {
            check_folder(folder).map_err(|problem| vec![problem])?;
        }
        if let Some((option, what)) = nothing_to_write(args, &program.declaration) {
            let name = &program.declaration.name;
            return Err(vec![format!(
                "{file}: {option}: {what} of `{name}` is a plane, so that there is no picture; leave it out"
            )]);
        }
        let parameters = given::parameters(&program.declaration, &args.params).map_err(|problem| vec![problem])?;
        let given = Given::open(args, &program.declaration).map_err(|problem| vec![problem])?;
        interrupt.listen();
        let compiled = of_build(program, &declared.plans, Stale::Told, &Search::default(), interrupt);
        let (compiled, notices) = compiled.map_err(|problem| vec![declared.locate(&problem)])?;
        for notice in notices {
            eprintln!("{}", declared.locate(&notice));
        }
        program
            .of
            .check(&compiled.program)
            .map_err(|mistake| vec![declared.locate(&program.diagnostic(Part::Whole, mistake.message))])?;
        Ok(Self { compiled: compiled.program, given, parameters })
    }

    /// Runs on all frames; returns whether nothing was wrong, or fails if the standard output cannot be written.
    pub(super) fn run(&self, args: &Run, interrupt: &Interrupt) -> io::Result<bool> {
        let mut report = Report::new(&self.compiled, args);
        let mut checked = args.check.then(|| Checked::new(&self.compiled, args, &self.parameters));
        let mut animations = Animations::new(args);
        let conditions = match self.conditions(args) {
            Ok(conditions) => conditions,
            Err(problem) => return Ok(complain(&problem)),
        };
        // The same program on an ideal array, if this one has errors.
        let ideal = Conditions { model: ErrorModel::ideal(), ..conditions };
        let ideal = (args.model != Model::Ideal).then(|| Running::new(&self.compiled, &ideal));
        let (mut running, mut ideal) = match (Running::new(&self.compiled, &conditions), ideal.transpose()) {
            (Ok(running), Ok(ideal)) => (running, ideal),
            (Err(problem), _) | (_, Err(problem)) => return Ok(complain(&problem)),
        };
        for number in 0..self.given.count() {
            if interrupt.is_pressed() {
                eprintln!("ended by Ctrl-C after {number} of {} frames", self.given.count());
                break;
            }
            let done = self.given.frame(number).and_then(|planes| {
                let answers = running.frame(&self.compiled, &planes, &self.parameters)?;
                let wanted = ideal.as_mut().map(|ideal| ideal.frame(&self.compiled, &planes, &self.parameters));
                let wanted = wanted.transpose()?;
                if let Some(folder) = args.folder_of_whole() {
                    running.write(&self.compiled, folder, number)?;
                }
                if let Some(animations) = &mut animations {
                    animations.frame(running.kept(&self.compiled)?)?;
                }
                Ok((planes, answers, wanted))
            });
            match done {
                Ok((planes, answers, wanted)) => {
                    if let Some(checked) = &mut checked {
                        checked.frame(number, &planes, &answers);
                    }
                    report.frame(number, &answers, wanted.as_deref())?;
                }
                Err(problem) => return Ok(complain(&format!("frame {number}: {problem}"))),
            }
        }
        if let Some(Err(problem)) = animations.map(Animations::write) {
            return Ok(complain(&problem));
        }
        report.end(&running.report())?;
        Ok(checked.is_none_or(|checked| checked.tell(args)))
    }

    /// The array that is simulated.
    fn conditions(&self, args: &Run) -> Result<Conditions, String> {
        let size @ Size { width, height } = args.size;
        if width.max(height) > SIDE {
            return Err(format!("--size {width}x{height}: whole programs are for arrays of at most {SIDE}x{SIDE} PEs"));
        }
        let least = self.compiled.least_side();
        if width.min(height) < least {
            return Err(format!(
                "--size {width}x{height}: the numbers that the program reads depend on more PEs; give it at least {least}x{least}"
            ));
        }
        let declaration = self.compiled.declaration();
        let errors = args.errors_for(&declaration.machine, declaration.options.error_model);
        let model = args.model.errors(errors.map_err(|problems| problems.join("\n"))?);
        Ok(Conditions { size, model, seed: args.seed, diffusion: args.diffusion, words: u64::MAX })
    }
}

/// Tells what is wrong; the run has failed.
fn complain(problem: &str) -> bool {
    eprintln!("{problem}");
    false
}

/// An option that asks for pictures of which there are none, and what would have to be a plane.
fn nothing_to_write(args: &Run, declaration: &Declaration) -> Option<(&'static str, &'static str)> {
    let is_plane = |value: Value| matches!(declaration.values.get(value.0), Some(Kind::Levels { .. } | Kind::Bits));
    let is_result = |result: &Output| matches!(result.of, Outcome::Value(value) if is_plane(value));
    let has_results = declaration.results.iter().any(is_result);
    let has_states = declaration.states.iter().any(|state| is_plane(state.before));
    let options = [
        ("--planes", "no result", args.planes.is_some() && !has_results),
        ("--output", "no result", args.output.is_some() && !has_results),
        ("--animate", "neither a state nor a result", args.animate.is_some() && !has_results && !has_states),
    ];
    options.into_iter().find(|(_, _, is_vain)| *is_vain).map(|(option, what, _)| (option, what))
}

/// An option that was given and is for filters.
fn other_options(args: &Run) -> Option<&'static str> {
    let given = [
        ("--image", !args.images.is_empty()),
        ("--input", args.input.is_some()),
        ("--registers", args.registers.is_some()),
        ("--in", args.level.is_some()),
        ("--signed", args.signed),
        ("--compare", args.compare),
        ("--steps", args.steps),
    ];
    given.into_iter().find(|(_, is_given)| *is_given).map(|(option, _)| option)
}
