//! What plan files say of programs on bits.

use cain_digital::Statistics;

use super::on_bits::{Contents, OnBits, Solution};
use super::solution::words;
use crate::diagnostic::Diagnostic;
use crate::plan_file::{Course, Fault, Finding, How, Identity, Part, problem};

/// The most steps of a program: far more than the search writes, and few enough to be followed in no time.
const MOST_STEPS: usize = 8192;

/// What a plan of this declaration depends on, except for the effort of the search.
pub(in crate::kinds) fn identity<D: OnBits>(declaration: &D) -> Identity {
    Identity::of([("declaration", declaration.text()), ("isa", D::ISA.to_owned())])
}

/// What a plan file says of a program.
pub(super) fn finding<D: OnBits>(solution: &Solution<D>) -> Finding {
    let declaration = solution.program.declaration();
    let Statistics { nodes, nodes_to_best, stop } = solution.statistics;
    let course = Course { nodes, first: None, best: nodes_to_best, stop };
    let Contents { registers, parts } = D::contents(solution.program.program());
    let names = D::PARTS.iter().map(|name| Some((*name).to_owned())).chain([None]);
    let parts = parts.into_iter().zip(names).map(|(steps, name)| Part { name, steps });
    Finding {
        wanted: identity(declaration),
        cost: Some(costs(solution)),
        how: Some(How::now(declaration.nodes(), Some(course))),
        registers: D::REGISTERS.iter().copied().zip(registers).collect(),
        program: Some(parts.collect()),
        ..Finding::default()
    }
}

fn costs<D: OnBits>(solution: &Solution<D>) -> String {
    format!("words={}", words(solution))
}

/// The verified program, if that is what was searched for; messages call the declaration `what`.
pub(super) fn solution<D: OnBits>(finding: &Finding, declaration: &D, what: &str) -> Result<Solution<D>, Fault> {
    finding.is_for(&identity(declaration), what)?;
    let solution = program(finding, declaration).map_err(Fault::Corrupt)?;
    finding.costs(&costs(&solution))?;
    Ok(solution)
}

/// The program, if it computes that declaration, even if its costs are wrong.
pub(super) fn program<D: OnBits>(finding: &Finding, declaration: &D) -> Result<Solution<D>, Diagnostic> {
    let contents = contents::<D>(finding)?;
    if finding.bound.is_some() {
        return Err(problem(
            finding.line_of_bound(),
            "programs on bits have no lower bound; remove the line".to_owned(),
        ));
    }
    let Some(Course { nodes, best, stop, first: None }) = finding.how.and_then(|how| how.course) else {
        let message = "expected `search: version=.. budget=.. nodes=.. best=.. stop=..`";
        return Err(problem(finding.line_of_search(), message.to_owned()));
    };
    if contents.parts.iter().map(Vec::len).sum::<usize>() > MOST_STEPS {
        let message = format!("the program has more than {MOST_STEPS} words");
        return Err(problem(finding.line_of_step(0, MOST_STEPS), message));
    }
    let proved = declaration.verify(&contents);
    let program = proved.map_err(|(index, message)| problem(finding.line_of_step(0, index), message))?;
    Ok(Solution::<D> { program, statistics: Statistics { nodes, nodes_to_best: best, stop } })
}

/// The registers and the parts of a program, if there are the right ones.
pub(in crate::kinds) fn contents<D: OnBits>(finding: &Finding) -> Result<Contents, Diagnostic> {
    let keys = finding.registers.iter().map(|(key, _)| *key).map(Some).chain([None]);
    let wanted = D::REGISTERS.iter().copied().map(Some).chain([None]);
    if let Some((index, (_, wanted))) = keys.zip(wanted).enumerate().find(|(_, (found, wanted))| found != wanted) {
        let expected =
            wanted.map_or_else(|| "an empty line before the program".to_owned(), |key| format!("`{key}: ..`"));
        return Err(problem(finding.line_of_registers(index), format!("expected {expected}")));
    }
    let parts = finding.program.as_deref().unwrap_or_default();
    let names = parts.iter().map(|part| part.name.as_deref());
    let right = D::PARTS.iter().copied().map(Some).chain(D::PARTS.is_empty().then_some(None));
    if !names.clone().eq(right.clone()) {
        let index = names.zip(right.clone()).take_while(|(found, right)| found == right).count();
        let expected = match right.flatten().nth(index) {
            Some(name) => format!("expected `// {name}`"),
            None => "expected an instruction such as `MOV(R0,R5);`".to_owned(),
        };
        let line = finding
            .line_of_step(index, 0)
            .saturating_sub(usize::from(parts.get(index).is_some_and(|part| part.name.is_some())));
        return Err(problem(line, expected));
    }
    let registers = finding.registers.iter().map(|(_, numbers)| numbers.clone()).collect();
    Ok(Contents { registers, parts: parts.iter().map(|part| part.steps.clone()).collect() })
}
