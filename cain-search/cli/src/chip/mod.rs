//! What whole programs make of a scene on a chip with errors, beside what they make of it without.
//!
//! Nothing is derived from the program: it runs on simulated arrays, so that loops, decisions and states count as they are.

mod array;
mod errors;
mod figures;
mod scene;

use cain_analysis::owned::{OnePass, Program, sections};
use cain_isa::ErrorModel;
use cain_runtime::io::Size;
use cain_vision::Compiled;
use cain_vision::declaration::Declaration;

pub(crate) use array::{Conditions, Plane, Running};
pub(crate) use errors::Errors;
pub(crate) use figures::ResultRecord;
use scene::Scene;

/// The frames of a scene, fewer if they take long.
const FRAMES: u64 = 4;
/// The words that are carried out for a prediction at most, on each array: about half a second on two cores.
const WORDS: u64 = 1 << 15;
/// The passes of loops without words that are carried out at most.
const PASSES: u64 = 1 << 20;

/// The errors that the results of a program are expected to have on the chip of its declaration, in frames of an example scene;
/// none if that takes too long.
pub(crate) fn predicted(compiled: &Compiled) -> Vec<ResultRecord> {
    on_both(compiled).map_or_else(Vec::new, |errors| errors.records())
}

/// What is told of them, below a line that says where they are from.
pub(crate) fn lines(errors: &[ResultRecord]) -> Vec<String> {
    let title = (!errors.is_empty()).then(|| "expected on a chip, in frames of an example scene:".to_owned());
    let lines = errors.iter().map(|ResultRecord { name, of }| format!("  `{name}`: {}", of.told()));
    title.into_iter().chain(lines).collect()
}

/// The largest of them, as a table tells it.
pub(crate) fn worst(errors: &[ResultRecord]) -> String {
    let all = errors.iter().filter_map(|ResultRecord { name, of }| Some((of.in_short()?, name)));
    let worst = all.max_by(|((a, _), _), ((b, _), _)| a.total_cmp(b));
    let none = if errors.is_empty() { "-" } else { "none" };
    worst.map_or_else(|| none.to_owned(), |((_, told), name)| format!("{name}: {told}"))
}

/// Where they leave nothing of a result.
pub(crate) fn warnings(errors: &[ResultRecord]) -> Vec<String> {
    let warning = |ResultRecord { name, of }: &ResultRecord| {
        let (why, told) = (of.is_lost()?, of.told());
        Some(format!(
            "`{name}` is expected to be lost on a chip: in frames of an example scene {why} ({told}); `cain run --model measured` \
             tells it for frames of your own"
        ))
    };
    errors.iter().filter_map(warning).collect()
}

fn on_both(compiled: &Compiled) -> Option<Errors> {
    let (declaration, program) = (compiled.declaration(), compiled.program());
    let frames = frames(program)?;
    let chip = declaration.options.error_model;
    let parameters: Vec<i64> = declaration.parameters.iter().map(|parameter| parameter.default).collect();
    let (mut ideal, mut real) = (on(compiled, ErrorModel::ideal())?, on(compiled, chip)?);
    let mut errors = Errors::new(declaration);
    let scene = Scene::new(declaration, size(declaration));
    for number in 0..frames {
        let planes = scene.frame(number);
        let answers = |array: &mut Running| array.frame(compiled, &planes, &parameters).ok();
        let Some((found, wanted)) = answers(&mut real).zip(answers(&mut ideal)) else { break };
        errors.frame(&found, &wanted);
    }
    Some(errors)
}

fn size(declaration: &Declaration) -> Size {
    Size { width: declaration.side, height: declaration.side }
}

/// The program on an array with these errors.
fn on(compiled: &Compiled, model: ErrorModel) -> Option<Running> {
    let size = size(compiled.declaration());
    Running::new(compiled, &Conditions { size, model, seed: 0, diffusion: None, words: WORDS }).ok()
}

/// How many frames there is time for.
fn frames(program: &Program) -> Option<usize> {
    let without_words = sections(program).into_iter().filter(|section| section.words == 0);
    let passes = without_words.fold(0_u64, |sum, section| sum.saturating_add(section.most));
    let (OnePass { words, .. }, _) = OnePass::longest(program);
    let frames = (WORDS / words.max(1)).min(FRAMES);
    usize::try_from(frames).ok().filter(|frames| *frames > 0 && passes <= PASSES)
}
