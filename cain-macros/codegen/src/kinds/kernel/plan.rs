//! What plan files say of weighted sums in analogue registers: kernels, and the sums of networks and automata.

use cain_analysis::prove::ProveError;
use cain_isa::{ErrorModel, Range, Stop};
use cain_search::{
    Approximation, Declaration, InstructionSet, MaxGain, Objective, OffsetRule, Options, Proved, Solution, Statistics,
    VerifyError, compare, verify_within,
};

use crate::diagnostic::Diagnostic;
use crate::lower::options::{instruction_set_name, max_gain_name, objective_name, offset_rule_name};
use crate::plan_file::{Course, Fault, Finding, How, Identity, problem};

/// The most instructions that a program may have per weight of its filter. A program never needs more, even if it moves,
/// doubles, halves and adds the pixel of each weight separately; a longer one could take minutes to replay.
const MOST_PER_WEIGHT: usize = 128;
/// The most weights that a program may read: this many for each pair of weights of the filter, and as many as
/// [`ALWAYS_READ`] in any case.
///
/// Intermediate values have no limit of their own, because terms may cancel in the end; only the effort of the replay is
/// limited. The most wasteful sensible program adds up the pixels one by one, and for each weight reads the sum so far,
/// which is no larger than the filter, a few times. This limit allows sums many times that size for every instruction, and
/// values of hundreds of pixels even for a filter of a single weight.
const MOST_READ_PER_PAIR: u64 = 64;
const ALWAYS_READ: u64 = 1 << 16;

/// What a plan of this declaration depends on, except for the effort of the search.
///
/// The registers of the machine need no line: the declaration names all that may be used. No line means that gains have no
/// limit, that inputs have any value of the registers, and that native programs cancel the transfer error while others need
/// not.
pub(in crate::kinds) fn identity(declaration: &Declaration) -> Identity {
    let mut identity = Identity::of([("declaration", declaration.to_string())]);
    identity.extend([of_options(&declaration.options, declaration.machine.range)]);
    identity
}

/// What depends on options of the search, on a machine whose registers have these values.
pub(in crate::kinds) fn of_options(options: &Options, range: Range) -> Identity {
    let lines = [
        ("isa", Some(instruction_set_name(options.instructions).to_owned())),
        ("objective", Some(objective_name(options.objective_in_force()).to_owned())),
        ("max_gain", (options.max_gain != MaxGain::Any).then(|| max_gain_name(options.max_gain))),
        (
            "approximate",
            options.approximate.map(|Approximation { depth, error }| format!("depth={depth} error={error}")),
        ),
        ("offset", offset(options).map(str::to_owned)),
        ("input", options.input.filter(|input| *input != range).map(|input| input.to_string())),
        ("accuracy", options.accuracy.map(|accuracy| accuracy.to_string())),
        ("errors", unusual_errors(&options.error_model)),
    ];
    Identity::of(lines.into_iter().filter_map(|(key, value)| Some((key, value?))))
}

/// The rule for offset errors, if it is not the usual one of the instruction set.
fn offset(options: &Options) -> Option<&'static str> {
    let usual = match options.instructions {
        InstructionSet::Native => OffsetRule::Cancelled,
        _ => OffsetRule::Any,
    };
    (options.offset != usual).then(|| offset_rule_name(options.offset))
}

/// The errors of the chip, if they are not the published ones.
fn unusual_errors(model: &ErrorModel) -> Option<String> {
    let &ErrorModel { gain, offset: [one, two, three], mismatch, fixed_gain, fixed_offset, .. } = model;
    let &ErrorModel { relative_noise, noise, readout_noise, .. } = model;
    (*model != ErrorModel::measured()).then(|| {
        format!(
            "gain={gain} offset={one},{two},{three} mismatch={mismatch} fixed_gain={fixed_gain} \
             fixed_offset={fixed_offset} relative_noise={relative_noise} noise={noise} readout_noise={readout_noise}"
        )
    })
}

/// What a plan file says of a program.
pub(in crate::kinds) fn finding(solution: &Solution) -> Finding {
    let Solution { program, statistics } = solution;
    let declaration = program.declaration();
    let &Statistics { nodes, nodes_to_first, nodes_to_best, lower_bound, stop } = statistics;
    let course = Course { nodes, first: Some(nodes_to_first), best: nodes_to_best, stop };
    Finding {
        cost: Some(costs(program)),
        how: Some(How::now(declaration.options.nodes, Some(course))),
        bound: Some(lower_bound),
        ..Finding::of(identity(declaration), program.listing())
    }
}

fn costs(program: &Proved) -> String {
    let report = program.report();
    format!("macros={} icws={} peak_gain={}", report.macros, report.icws, report.peak_gain)
}

/// The verified program, if that is what was searched for; messages call the declaration `what`.
pub(in crate::kinds) fn solution(finding: &Finding, declaration: &Declaration, what: &str) -> Result<Solution, Fault> {
    finding.is_for(&identity(declaration), what)?;
    let program = program(finding, declaration).map_err(Fault::Corrupt)?;
    finding.costs(&costs(&program))?;
    let statistics = statistics(finding).map_err(Fault::Corrupt)?;
    check_bound(finding, &program, &statistics).map_err(Fault::Corrupt)?;
    Ok(Solution { program, statistics })
}

/// The program, if it computes that declaration, even if all else that the file says is wrong.
pub(in crate::kinds) fn program(finding: &Finding, declaration: &Declaration) -> Result<Proved, Diagnostic> {
    if !finding.registers.is_empty() {
        let message = "expected an empty line before the program".to_owned();
        return Err(problem(finding.line_of_registers(0), message));
    }
    let listing = finding.listing()?;
    let most = most_instructions(declaration);
    if listing.len() > most {
        let message = format!("the program has more than {most} instructions, more than the filter can need");
        return Err(problem(finding.line_of_step(0, most), message));
    }
    verify_within(declaration, &listing, most_read(declaration)).map_err(|error| {
        let message = match error {
            VerifyError::Unprovable { error: limit @ ProveError::Limit(_), .. } => {
                format!("{limit}, more than the filter can need")
            }
            _ => error.to_string(),
        };
        problem(finding.line_of_step(0, error.index().unwrap_or_default()), message)
    })
}

/// A program that was read from a file, verified with limits for the effort.
#[cfg(feature = "networks")]
pub(in crate::kinds) fn verify(declaration: &Declaration, listing: &[cain_isa::Instruction]) -> Option<Proved> {
    let is_short = listing.len() <= most_instructions(declaration);
    is_short.then(|| verify_within(declaration, listing, most_read(declaration)).ok()).flatten()
}

/// How the search went.
fn statistics(finding: &Finding) -> Result<Statistics, Diagnostic> {
    let expected = |line: usize, form: &str| problem(line, format!("expected `{form}`"));
    let course = finding.how.and_then(|how| how.course).and_then(|course| Some((course, course.first?)));
    let Some((Course { nodes, best, stop, .. }, first)) = course else {
        let form = "search: version=.. budget=.. nodes=.. first=.. best=.. stop=..";
        return Err(expected(finding.line_of_search(), form));
    };
    let Some(lower_bound) = finding.bound else {
        return Err(expected(finding.line_of_bound(), "proved: instructions>=.."));
    };
    Ok(Statistics { nodes, nodes_to_first: first, nodes_to_best: best, lower_bound, stop })
}

/// Checks the lower bound, which is not proved again, for contradictions with the program.
fn check_bound(finding: &Finding, program: &Proved, statistics: &Statistics) -> Result<(), Diagnostic> {
    let (bound, length) = (u64::from(statistics.lower_bound), program.listing().len() as u64);
    let objective = program.declaration().options.objective;
    let is_shortest = statistics.stop == Stop::Proved && objective == Objective::Macros;
    if length < bound {
        let message = format!("the program has {length} instructions, fewer than any could have");
        return Err(problem(finding.line_of_bound(), message));
    }
    if is_shortest && length > bound {
        let message = format!("the program has {length} instructions and is not proved shortest by that");
        return Err(problem(finding.line_of_bound(), message));
    }
    Ok(())
}

/// Whether a program costs less than an existing one, or as much and more was proved about it.
pub(in crate::kinds) fn is_better(found: &Solution, existing: &Solution) -> bool {
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

/// What was found, with the program in a file if that computes the declaration and costs less.
pub(in crate::kinds) fn rescue(finding: &Finding, found: Solution) -> Solution {
    let declaration = found.program.declaration();
    match program(finding, declaration) {
        Ok(program) if compare(declaration, program.listing(), found.program.listing()).is_lt() => {
            Solution { program, ..found }
        }
        _ => found,
    }
}

fn most_instructions(declaration: &Declaration) -> usize {
    MOST_PER_WEIGHT * weights(declaration)
}

/// The number of weights of all outputs, plus one for each so that outputs of zero count.
fn weights(declaration: &Declaration) -> usize {
    declaration.weights() + declaration.outputs.len()
}

/// The most weights that a program for this declaration may read.
fn most_read(declaration: &Declaration) -> u64 {
    let weights = weights(declaration) as u64;
    ALWAYS_READ.saturating_add(MOST_READ_PER_PAIR.saturating_mul(weights.saturating_mul(weights)))
}
