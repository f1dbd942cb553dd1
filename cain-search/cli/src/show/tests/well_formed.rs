//! For all programs, values are consistent and pictures are well-formed XML.

use std::collections::BTreeSet;

use cain_analysis::prove::{Polynomial, Prover};
use cain_codegen::Plan;
use cain_isa::{Cell, Direction, HostController as _, Instruction, Macro, Op, Operand, OperandKind, Reg, Word};
use cain_search::InstructionSet;
use proptest::prelude::*;
use proptest::sample::select;
use roxmltree::{Document, Node, ParsingOptions};

use super::plan;
use crate::show::format::{Details, Format};
use crate::show::render;
use crate::show::trace::Trace;

fn operand(kind: OperandKind) -> BoxedStrategy<Operand> {
    match kind {
        OperandKind::Direction => select(Direction::ALL.to_vec()).prop_map(Operand::Direction).boxed(),
        _ => select(Reg::SCAMP5[..4].to_vec()).prop_map(Operand::Reg).boxed(),
    }
}

fn macros() -> impl Strategy<Value = Option<Instruction>> {
    select(Op::ALL.to_vec()).prop_flat_map(|op| {
        let operands: Vec<_> = op.operands().iter().map(|kind| operand(*kind)).collect();
        operands.prop_map(move |operands| Macro::new(op, &operands).ok().map(Instruction::Macro))
    })
}

fn words() -> impl Strategy<Value = Option<Instruction>> {
    let registers = Reg::SCAMP5[..4].iter().copied().map(Cell::Reg);
    let ports = Direction::ALL.into_iter().map(Cell::Port);
    let cells = select(registers.chain(ports).chain([Cell::News]).collect::<Vec<_>>());
    let lists = (prop::collection::vec(cells.clone(), 1..=3), prop::collection::vec(cells, 0..=3));
    lists.prop_map(|(destinations, sources)| Word::new(&destinations, &sources).ok().map(Instruction::Word))
}

/// The plan of a program of limited length, all of whose instructions can be executed.
fn plans(most: usize) -> impl Strategy<Value = Plan> {
    let inputs = [(Reg::A, false), (Reg::B, false)];
    let macros = prop::collection::vec(macros(), 1..=most).prop_map(|listing| (InstructionSet::Macro, listing));
    let words = prop::collection::vec(words(), 1..=most).prop_map(|listing| (InstructionSet::Native, listing));
    prop_oneof![2 => macros, 1 => words].prop_map(move |(set, instructions)| {
        let mut prover = Prover::new(&inputs.map(|(reg, _)| reg));
        let mut runs = |instruction: &Instruction| {
            let mut next = prover.clone();
            let runs = set.contains(instruction) && next.execute(*instruction).is_ok();
            if runs {
                prover = next;
            }
            runs
        };
        let listing: Vec<Instruction> = instructions.into_iter().flatten().filter(|one| runs(one)).collect();
        plan(&inputs, &[Reg::A], &listing)
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    /// Every value is the sum that its form describes, of operands that still exist; the last ones are the prover's.
    #[test]
    fn values_are_made_of_their_operands(plan in plans(12)) {
        let trace = Trace::of(&plan.solution.program).unwrap();
        for (number, step) in trace.steps.iter().enumerate() {
            for made in &step.results {
                let mut sum = Polynomial::new();
                for (part, operand) in made.form.parts().iter().zip(&made.operands) {
                    prop_assert!(trace.live(number).any(|(index, _)| index == *operand));
                    prop_assert_eq!(trace.values[*operand].store, part.store);
                    sum.add_scaled(&trace.values[*operand].holds, part.weight, part.displacement).unwrap();
                }
                prop_assert_eq!(&sum, &trace.values[made.value].holds);
            }
        }
        for (output, value) in plan.declaration().outputs.iter().zip(&trace.outputs) {
            prop_assert_eq!(&output.kernel, &trace.values[*value].holds);
        }
    }

    #[test]
    fn pictures_are_xml(plan in plans(8)) {
        let svg = render(&plan, None, Format::Svg, Details::default()).unwrap();
        let document = Document::parse(&svg).unwrap();
        let rows = with_class(&document, "row");
        prop_assert_eq!(rows.len(), plan.listing().len());
        let size = |name| number(&document.root_element(), name);
        for node in document.descendants().filter(|node| node.has_tag_name("g")) {
            if let Some(place) = node.attribute("transform").and_then(|place| place.strip_prefix("translate(")) {
                let (x, y) = place.trim_end_matches(')').split_once(' ').unwrap();
                let (x, y): (f64, f64) = (x.parse().unwrap(), y.parse().unwrap());
                prop_assert!((0.0..size("width")).contains(&x) && (0.0..size("height")).contains(&y));
            }
        }
    }

    #[test]
    fn pages_are_xml_and_complete(plan in plans(8), title in "\\PC{0,20}") {
        let html = render(&plan, Some(&title), Format::Html, Details::default()).unwrap();
        let options = ParsingOptions { allow_dtd: true, ..ParsingOptions::default() };
        let document = Document::parse_with_options(&html, options).unwrap();
        prop_assert_eq!(with_class(&document, "step").len(), plan.listing().len() + 1);
        let defined: BTreeSet<&str> = document.descendants().filter_map(|node| node.attribute("id")).collect();
        let uses: Vec<&str> = document.descendants().filter_map(|node| node.attribute("href")).collect();
        prop_assert!(!uses.is_empty());
        for used in uses {
            // References to other documents are forbidden, too.
            prop_assert!(used.strip_prefix('#').is_some_and(|id| defined.contains(id)), "{}", used);
        }
        prop_assert!(document.descendants().all(|node| node.attribute("src").is_none()));
    }
}

fn with_class<'a, 'd>(document: &'a Document<'d>, class: &str) -> Vec<Node<'a, 'd>> {
    let is = |node: &Node<'_, '_>| node.attribute("class").is_some_and(|all| all.split(' ').any(|one| one == class));
    document.descendants().filter(is).collect()
}

fn number(node: &Node<'_, '_>, name: &str) -> f64 {
    node.attribute(name).unwrap().parse().unwrap()
}
