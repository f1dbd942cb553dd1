//! Messages about searches that found no program, with advice on what to allow.

use cain_isa::Machine;
use cain_search::{Declaration, Remedy, SearchError};

use crate::tree::Place;

/// The message about a failed search.
pub(crate) fn message<S: Place>(error: &SearchError, declaration: &Declaration) -> String {
    match error {
        SearchError::Budget { writable, enough, remedy, .. } => {
            let more = more_registers::<S>(declaration, writable.len(), *enough);
            format!("{error}; {}allow {}, or {more}", lifted(*remedy), S::MORE_NODES)
        }
        SearchError::Registers { writable, enough, remedy } => {
            let more = more_registers::<S>(declaration, writable.len(), *enough);
            format!("{error}; {}{more}", lifted(*remedy))
        }
        error => error.to_string(),
    }
}

/// Advice on constraints.
fn lifted(remedy: Option<Remedy>) -> String {
    let Some(Remedy { offset, max_gain }) = remedy else { return String::new() };
    let offset = offset.then(|| "`offset = any`".to_owned());
    let max_gain = max_gain.map(|max_gain| format!("`max_gain = {max_gain}`"));
    let options: Vec<String> = offset.into_iter().chain(max_gain).collect();
    format!("there is one with {}; give that, or ", options.join(" and "))
}

/// Advice on registers for a filter with `writable` ones, if it is known how many are `enough`.
fn more_registers<S: Place>(declaration: &Declaration, writable: usize, enough: Option<usize>) -> String {
    let machine = declaration.machine.registers.len();
    let kept = declaration.inputs.iter().filter(|input| input.keep).count();
    match enough.map(|enough| (enough + kept, enough.saturating_sub(writable))) {
        None | Some((_, 0)) if kept + writable >= machine => {
            let split = if declaration.outputs.len() > 1 { "split the filter, or " } else { "" };
            let more = if declaration.machine.macros == Machine::SCAMP5.macros { "" } else { "instructions, or more " };
            format!("{split}use a machine with more {more}registers: all of this one are in use")
        }
        None | Some((_, 0)) => format!("allow more {}", S::scratch_registers(2)),
        Some((needed, _)) if needed > machine => S::too_few_registers(needed, declaration.outputs.len()),
        Some((_, 1)) => format!("allow one more {}, which is certainly enough", S::scratch_registers(1)),
        Some((_, more)) => format!("allow {more} more {}, which are certainly enough", S::scratch_registers(more)),
    }
}

#[cfg(test)]
mod tests {
    use cain_analysis::prove::Polynomial;
    use cain_isa::{Fraction, Machine, Reg};
    use cain_search::{Declaration, Input, Options, Output, Remedy, SearchError};
    use proc_macro2::Span;

    use super::message;

    /// With A kept and B written, four registers remain on SCAMP-5.
    #[test]
    fn kept_registers_are_not_advised_as_scratch() {
        let declaration = Declaration {
            name: "f".to_owned(),
            inputs: vec![Input { reg: Reg::A, keep: true }],
            outputs: vec![Output { reg: Reg::B, kernel: Polynomial::input(0) }],
            scratch: Vec::new(),
            machine: Machine::SCAMP5,
            options: Options::default(),
        };
        let reported = |enough, remedy| {
            let error = SearchError::Registers { writable: vec![Reg::B], enough, remedy };
            message::<Span>(&error, &declaration)
        };
        for (enough, advice) in [
            (None, "allow more scratch registers with `using (..)`"),
            (Some(2), "allow one more scratch register with `using (..)`, which is certainly enough"),
            (Some(5), "allow 4 more scratch registers with `using (..)`, which are certainly enough"),
            (Some(6), "split the filter: 7 registers would certainly be enough, but the machine has fewer"),
        ] {
            assert_eq!(reported(enough, None), format!("no program found that overwrites only `B`; {advice}"));
        }
        let full = |outputs| {
            let output = Output { reg: Reg::B, kernel: Polynomial::input(0) };
            let full = Declaration { outputs: vec![output; outputs], ..declaration.clone() };
            let writable = Machine::SCAMP5.registers.iter().filter(|reg| *reg != Reg::A).collect();
            let error = SearchError::Budget { nodes: 1, writable, enough: None, remedy: None };
            message::<Span>(&error, &full).split("; ").last().unwrap().to_owned()
        };
        let machine = "use a machine with more registers: all of this one are in use";
        assert_eq!(full(1), format!("allow more nodes with `#[search(nodes = ..)]`, or {machine}"));
        assert_eq!(
            full(2),
            format!("allow more nodes with `#[search(nodes = ..)]`, or split the filter, or {machine}")
        );
        let more = "allow more scratch registers with `using (..)`";
        for (offset, max_gain, options) in [
            (true, None, "`offset = any`"),
            (false, Fraction::new(5, 2), "`max_gain = 5/2`"),
            (true, Fraction::new(3, 1), "`offset = any` and `max_gain = 3`"),
        ] {
            assert_eq!(
                reported(None, Some(Remedy { offset, max_gain })),
                format!("no program found that overwrites only `B`; there is one with {options}; give that, or {more}")
            );
        }
    }
}
