use cain_analysis::prove::Polynomial;
use cain_isa::{Fraction, Machine, Reg, Stop};

use super::{Known, entry, look_up, look_up_in};
use crate::{Declaration, Input, InstructionSet, Kernel, MaxGain, Options, Output, Patience, Solution, search, verify};

const BOOK: &str = "\
# A comment

1/4 [1 2 1]
native &A>B 2..4 50000 4 proved bus(NEWS,A);bus(B,XW);bus2(NEWS,C,B,A);bus2(B,D,XE,C);

[0 -1 1]
macro A>A 1..2 300 1 nodes mov(B,A);subx(A,B,east,B);
";

fn kernel(rows: &[&[i32]], denominator: i64) -> Polynomial {
    let rows = rows.iter().map(|row| row.iter().map(|&weight| Fraction::from(weight)).collect()).collect();
    let mut kernel = Polynomial::new();
    Kernel::new(rows).unwrap().add_to(&mut kernel, Fraction::new(1, denominator).unwrap(), 0).unwrap();
    kernel
}

/// A declaration in which the first register is the input, and the last ones are scratch.
fn declaration(kernel: Polynomial, registers: &str, keep: bool, instructions: InstructionSet) -> Declaration {
    let registers: Vec<Reg> = registers.split(' ').map(|reg| reg.parse().unwrap()).collect();
    let [input, output, ref scratch @ ..] = registers[..] else { panic!() };
    Declaration {
        name: "f".to_owned(),
        inputs: vec![Input { reg: input, keep }],
        outputs: vec![Output { reg: output, kernel }],
        scratch: scratch.to_vec(),
        machine: Machine::SCAMP5,
        options: Options { instructions, ..Options::default() },
    }
}

fn column(registers: &str) -> Declaration {
    declaration(kernel(&[&[1], &[2], &[1]], 4), registers, true, InstructionSet::Native)
}

fn difference(rows: &[&[i32]], registers: &str) -> Declaration {
    declaration(kernel(rows, 1), registers, false, InstructionSet::Macro)
}

#[test]
fn programs_are_turned_and_renamed() {
    let found = look_up_in(BOOK, &column("F A B C")).unwrap();
    assert_eq!((found.nodes, found.solution.statistics.stop), (u64::MAX, Stop::Proved));
    let listing: String = found.solution.program.listing().iter().map(ToString::to_string).collect();
    assert_eq!(listing, "bus(NEWS,F);bus(A,XS);bus2(NEWS,B,A,F);bus2(A,C,XN,B);");

    let images: [&[&[i32]]; 4] = [&[&[0, -1, 1]], &[&[1, -1, 0]], &[&[1], &[-1], &[0]], &[&[0], &[-1], &[1]]];
    for rows in images {
        let found = look_up_in(BOOK, &difference(rows, "C C D")).unwrap();
        assert_eq!((found.nodes, found.solution.statistics.stop), (300, Stop::Book));
        assert_eq!(found.solution.program.listing().len(), 2);
    }
}

#[test]
fn what_was_not_searched_for_is_not_there() {
    let nothing = |declaration: Declaration| assert_eq!(look_up_in(BOOK, &declaration), None, "{declaration}");
    // Fewer registers than the program takes, and more than the search had.
    nothing(column("A B C"));
    let row: &[&[i32]] = &[&[0, -1, 1]];
    nothing(difference(row, "A A B C D"));
    // The same in another form, and another kernel.
    nothing(difference(row, "A B C D"));
    nothing(Declaration { inputs: vec![Input { reg: "A".parse().unwrap(), keep: false }], ..column("A B C D") });
    nothing(difference(&[&[0, 1, -1]], "A A B"));
    // Other options.
    let with = |options| Declaration { options, ..column("A B C D") };
    nothing(with(Options { max_gain: MaxGain::Any, ..Options::default() }));
    nothing(with(Options { max_words: Some(3), ..Options::default() }));
    nothing(with(Options { instructions: InstructionSet::Macro, ..Options::default() }));
    assert!(
        look_up_in(BOOK, &with(Options { nodes: 1, memory: 8, patience: Patience::Any, ..Options::default() }))
            .is_some()
    );
    assert!(look_up_in(BOOK, &with(Options { max_words: Some(4), ..Options::default() })).is_some());
}

#[test]
fn what_is_wrong_is_ignored() {
    for (old, new) in [
        ("bus(B,XW)", "bus(B,XE)"),
        ("bus(B,XW)", "bus(B,XW"),
        ("bus(B,XW)", "bus(A,XW)"),
        ("bus(B,XW);", ""),
        ("C,B,A", "Z,B,A"),
        ("2..4", "2"),
        ("4 proved", "four proved"),
        ("native", "natural"),
    ] {
        let book = BOOK.replacen(old, new, 1);
        assert_ne!(book, BOOK);
        assert_eq!(look_up_in(&book, &column("A B C D")), None, "{new}");
    }
}

#[test]
fn searches_with_larger_budgets_are_made() {
    let wanted = Declaration {
        options: Options { book: true, nodes: 2_000_000_000, ..Options::default() },
        ..declaration(kernel(&[&[1, 2, 1], &[2, 4, 2], &[1, 2, 1]], 16), "A B C D E F", true, InstructionSet::Native)
    };
    let Known { solution, nodes } = look_up(&wanted).unwrap();
    assert!(nodes < wanted.options.nodes);
    let end = |nodes| {
        let mut looks = 0;
        let options = Options { nodes, ..wanted.options.clone() };
        let found = crate::search_watched(&Declaration { options, ..wanted.clone() }, |_| {
            looks += 1;
            std::ops::ControlFlow::Break(())
        });
        (looks, found.unwrap().program.listing().len())
    };
    // The search ends at once, but what the book has remains.
    let words = solution.program.listing().len();
    assert_eq!(end(nodes), (0, words));
    let (looks, found) = end(nodes + 1);
    assert!(looks > 0 && found == words);
}

#[test]
fn an_entry_is_what_is_looked_up() {
    let wanted = difference(&[&[0, -1, 1]], "A A B C");
    let found = search(&wanted).unwrap();
    let (kernels, line) = entry(&found).unwrap();
    assert_eq!(kernels, "[0 -1 1]");
    let book = format!("{kernels}\n{line}\n");
    let again = look_up_in(&book, &difference(&[&[1, -1, 0]], "F F E D")).unwrap();
    assert_eq!(again.solution.program.report().macros, found.program.report().macros);
    let Solution { statistics, .. } = again.solution;
    assert_eq!((statistics.lower_bound, statistics.nodes), (found.statistics.lower_bound, 0));
    assert!(verify(&wanted, found.program.listing()).is_ok());
}
