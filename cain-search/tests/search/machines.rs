//! Tests of machines with other registers than SCAMP-5, and of registers in unusual roles.

use cain_analysis::prove::Polynomial;
use cain_analysis::sorted::Set;
use cain_isa::{Displacement, Fraction, Machine, Reg, Stop};
use cain_search::{Declaration, Input, Options, Output, SearchError, Solution, search};

use crate::common::{as_cain, kernel, on_channel};

/// Registers by their names.
fn registers(names: &str) -> Vec<Reg> {
    names.split_whitespace().map(|name| name.parse().expect("a register")).collect()
}

/// Inputs (`&A` is kept), outputs and scratch registers by their names; the i-th kernel belongs to the i-th output.
fn machine(inputs: &str, outputs: &str, scratch: &str, kernels: &[Polynomial]) -> Declaration {
    let input = |name: &str| Input {
        keep: name.starts_with('&'),
        reg: name.trim_start_matches('&').parse().expect("a register"),
    };
    let outputs = registers(outputs);
    assert_eq!(outputs.len(), kernels.len());
    Declaration {
        name: "filter".into(),
        inputs: inputs.split_whitespace().map(input).collect(),
        outputs: outputs.into_iter().zip(kernels).map(|(reg, k)| Output { reg, kernel: k.clone() }).collect(),
        scratch: registers(scratch),
        machine: Machine::SCAMP5.with_registers(256),
        options: Options { nodes: 500, ..as_cain() },
    }
}

/// Searches a program and checks which registers it touches.
#[track_caller]
fn solve(declaration: &Declaration) -> Solution {
    let solution = search(declaration).unwrap_or_else(|error| panic!("{declaration}: {error}"));
    let inputs: Set<Reg> = declaration.inputs.iter().map(|input| input.reg).collect();
    let writable: Set<Reg> = declaration.writable().into_iter().collect();
    assert!(solution.program.report().reads.is_subset(&inputs), "{declaration}");
    assert!(solution.program.report().writes.is_subset(&writable), "{declaration}");
    solution
}

fn blur() -> Polynomial {
    kernel(4, &[&[1, 2, 1]])
}

fn edge() -> Polynomial {
    kernel(1, &[&[1, 0, -1]])
}

/// A kernel without any useful structure.
fn rough(seed: i32) -> Polynomial {
    let row = |y: i32| [0, 1, 2].map(|x| (seed * 7 + x * 5 + y * 11 + x * y * seed) % 9);
    kernel(8, &[&row(0), &row(1), &row(2)])
}

/// The sum of a kernel on each of `count` channels, the i-th moved by i.
fn over_channels(count: u16) -> Polynomial {
    let mut sum = Polynomial::new();
    for (channel, x) in (0..count).zip(0..) {
        sum.add_scaled(&on_channel(channel, 4, &[&[1, 2, 1]]), Fraction::ONE, Displacement::new(x, 0)).expect("small");
    }
    sum
}

#[test]
fn one_register_is_enough_for_what_happens_in_place() {
    let alone = |kernel| search(&machine("A", "A", "", &[kernel]));
    let length = |rows: &[&[i32]]| alone(kernel(1, rows)).unwrap().program.listing().len();
    assert_eq!(length(&[&[1]]), 0);
    assert_eq!(length(&[&[0]]), 1);
    assert_eq!(length(&[&[0, 0, 1]]), 1);
    assert_eq!(length(&[&[0, 0, 0, 0, 1], &[0; 5], &[0; 5]]), 2);
    for kernel in [kernel(1, &[&[-1]]), kernel(2, &[&[1]]), blur()] {
        let error = alone(kernel.clone()).unwrap_err();
        assert!(matches!(error, SearchError::Registers { enough: Some(2), .. }), "{kernel}: {error}");
        solve(&machine("A", "A", "B", &[kernel]));
    }
}

#[test]
fn two_registers() {
    assert!(solve(&machine("A", "A", "B", &[edge()])).program.listing().len() <= 6);
    assert!(solve(&machine("A", "A", "B", &[rough(1)])).program.listing().len() <= 60);
    assert!(solve(&machine("A", "B", "", &[rough(2)])).program.listing().len() <= 60);
    // The input is only read, so there is only one register to work in.
    let error = search(&machine("&A", "B", "", &[rough(2)])).unwrap_err();
    assert!(matches!(error, SearchError::Registers { enough: Some(2), .. }), "{error}");
    solve(&machine("&A", "B", "C", &[rough(2)]));
}

#[test]
fn three_registers() {
    assert!(
        solve(&machine("A", "A", "B C", &[kernel(16, &[&[1, 2, 1], &[2, 4, 2], &[1, 2, 1]])])).program.listing().len()
            <= 10
    );
    assert!(solve(&machine("A", "A B", "C", &[blur(), edge()])).program.listing().len() <= 9);
    assert!(solve(&machine("C", "B A", "", &[blur(), edge()])).program.listing().len() <= 12);
    solve(&machine("&A", "B", "C", &[rough(3)]));
}

/// There are as many outputs as registers besides the input, or one more, which replaces the input.
#[test]
fn outputs_in_nearly_all_registers() {
    let kernels: Vec<Polynomial> = (1..=5).map(rough).collect();
    solve(&machine("A", "B C D E F", "", &kernels));
    solve(&machine("A", "A B C D E", "F", &kernels));
    solve(&machine("F", "A B C D", "E", &kernels[..4]));
    solve(&machine("&A", "B C D E", "F", &kernels[..4]));
}

/// The machine of the paper's Figure 4.
#[test]
fn eighteen_registers_and_ten_kernels() {
    let outputs = "R1 R2 R3 R4 R5 R6 R7 R8 R9 R10";
    let scratch = "R0 R11 R12 R13 R14 R15 R16";
    let kernels: Vec<Polynomial> = (1..=10).map(rough).collect();
    let mut together = machine("R17", outputs, scratch, &kernels);
    together.options.nodes *= 10;
    assert_eq!(together.writable().len(), 18);
    let length = solve(&together).program.listing().len();
    let alone = |i: usize| solve(&machine("R17", "R1", scratch, &kernels[i..=i])).program.listing().len();
    assert!(length <= (0..10).map(alone).sum(), "{length}");
}

#[test]
fn as_many_registers_as_can_be_named() {
    let all: Vec<Reg> = (0..=u8::MAX).map(Reg::from_index).collect();
    let mut wide = machine("A", "Z", "", &[blur()]);
    wide.scratch = all.iter().copied().filter(|reg| ![Reg::A, "Z".parse().unwrap()].contains(reg)).collect();
    assert!(solve(&wide).program.listing().len() <= 4);
}

#[test]
fn names_of_registers_do_not_matter() {
    let length = |declaration: &Declaration| solve(declaration).program.listing().len();
    let usual = length(&machine("A", "A B", "C D", &[blur(), rough(1)]));
    assert_eq!(usual, length(&machine("R229", "R229 Q", "R7 Z", &[blur(), rough(1)])));
}

#[test]
fn several_channels() {
    for (count, most) in [(2, 6), (3, 8), (4, 10)] {
        let names = ["A", "B", "C", "D"][..usize::from(count)].join(" ");
        for output in ["A", "F"] {
            let scratch = "E F".replace(output, "");
            let length = solve(&machine(&names, output, &scratch, &[over_channels(count)])).program.listing().len();
            assert!(length <= most, "{count} channels in {length}");
        }
        let kept = names.replace(' ', " &");
        solve(&machine(&format!("&{kept}"), "F", "E R0", &[over_channels(count)]));
    }
}

/// Every output goes to the register of an input that another output still needs.
#[test]
fn channels_that_change_places() {
    let row = |channel, row: &[i32]| on_channel(channel, 2, &[row]);
    let kernels = [row(1, &[1, 1, 0]), row(2, &[0, 1, 1]), row(0, &[1, 0, 1])];
    assert!(solve(&machine("A B C", "A B C", "D", &kernels)).program.listing().len() <= 11);
    let mut mixed = kernels.clone();
    for (i, kernel) in mixed.iter_mut().enumerate() {
        kernel.add_scaled(&kernels[(i + 1) % 3], Fraction::ONE, Displacement::ZERO).unwrap();
    }
    solve(&machine("A B C", "A B C", "D", &mixed));
}

#[test]
fn a_channel_that_no_kernel_reads() {
    let solution = solve(&machine("A B", "C", "", &[edge()]));
    assert!(!solution.program.report().reads.contains(&Reg::B));
    assert!(solution.program.listing().len() <= 2);
    // Its register may be overwritten, unless it is kept.
    solve(&machine("A B", "A", "", &[edge()]));
    let kept = search(&machine("A &B", "A", "", &[edge()])).unwrap_err();
    assert!(matches!(kept, SearchError::Registers { enough: Some(2), .. }), "{kept}");
}

#[test]
fn one_channel_stays_and_the_other_gives_way() {
    let mut sum = on_channel(0, 4, &[&[1, 2, 1]]);
    sum.add_scaled(&on_channel(1, 1, &[&[0, 1, -1]]), Fraction::ONE, Displacement::ZERO).unwrap();
    for (inputs, output, scratch) in [("&A B", "B", "C"), ("A &B", "A", "C"), ("&A &B", "C", "D"), ("A B", "B", "C")] {
        let solution = solve(&machine(inputs, output, scratch, &[sum.clone()]));
        assert!(solution.program.listing().len() <= 24, "{inputs} to {output}: {}", solution.program.listing().len());
    }
}

#[test]
fn an_input_that_is_also_wanted_as_it_is() {
    let identity = kernel(1, &[&[1]]);
    let solution = solve(&machine("A", "A B", "C D", &[identity.clone(), rough(1)]));
    assert!(!solution.program.report().writes.is_empty());
    solve(&machine("A", "A B", "C", &[identity.clone(), rough(2)]));
    let moved = solve(&machine("A", "B C", "", &[identity.clone(), identity]));
    assert_eq!((moved.program.listing().len(), moved.statistics.stop), (2, Stop::Proved));
}
