//! Digital instructions on the simulated array: truth tables and aliases.

use cain_runtime::isa::asm::digital::*;
use cain_runtime::isa::{Bit, Instruction, Logic, Macro, Op, Operand, OperandKind, Operation, WordError};
use cain_runtime::sim::{Array, SimError};
use cain_runtime::{Dregs, HostController};

/// Registers with special roles and without.
const REGISTERS: [Bit; 6] = [R0, R12, R1, R5, R6, R7];

/// One PE per combination of values of `REGISTERS`.
fn truth_table() -> Array {
    let mut array = Array::new(1 << REGISTERS.len(), 1);
    for (i, register) in REGISTERS.into_iter().enumerate() {
        let bits: Vec<bool> = (0..array.width()).map(|pe| pe >> i & 1 == 1).collect();
        array.load_bits(register, &bits).unwrap();
    }
    array
}

fn values(array: &Array) -> Vec<Vec<bool>> {
    REGISTERS.iter().map(|&register| array.read_bits(register).unwrap()).collect()
}

/// The documentation of the vendor: the results by operand, and whether `R0` and `R12` are overwritten.
type Documented = (&'static [(usize, fn(&[bool]) -> bool)], bool, bool);

fn documented(op: Op) -> Option<Documented> {
    Some(match op {
        Op::Not => (&[(0, |v| !v[0])], false, false),
        Op::Or => (&[(0, |v| v[0] || v[1])], false, false),
        Op::Nor => (&[(0, |v| !(v[0] || v[1]))], false, false),
        Op::And => (&[(0, |v| v[1] && v[2])], true, true),
        Op::Nand => (&[(0, |v| !(v[1] && v[2]))], true, true),
        Op::Andx => (&[(0, |v| v[1] && v[2]), (1, |v| !v[2])], true, false),
        Op::Nandx => (&[(0, |v| !(v[1] && v[2])), (1, |v| !v[2])], true, false),
        Op::Imp => (&[(0, |v| v[1] || !v[2])], true, false),
        Op::Nimp => (&[(0, |v| v[2] && !v[1])], true, false),
        Op::Xorx => (&[(0, |v| v[1] ^ v[2]), (1, |v| v[1] && !v[2])], true, false),
        Op::Mux => (&[(0, |v| if v[1] { v[2] } else { v[3] })], true, true),
        Op::ClrIf => (&[(0, |v| v[0] && !v[1])], true, false),
        Op::Refresh => (&[(0, |v| v[0])], false, false),
        _ => return None,
    })
}

fn operand_lists(count: usize) -> Vec<Vec<Bit>> {
    (0..count).fold(vec![vec![]], |lists, _| {
        lists.iter().flat_map(|list| REGISTERS.map(|register| [list.as_slice(), &[register]].concat())).collect()
    })
}

fn assemble(op: Op, operands: &[Bit]) -> Option<Instruction> {
    let operands: Vec<Operand> = operands.iter().map(|&bit| Operand::Bit(bit)).collect();
    Macro::new(op, &operands).ok().map(Instruction::Macro)
}

#[test]
fn every_legal_macro_has_its_documented_truth_table() {
    for &op in Op::DIGITAL {
        let Some((results, uses_r0, uses_r12)) = documented(op) else { continue };
        let mut legal = 0;
        for operands in operand_lists(op.operands().len()) {
            let Some(instruction) = assemble(op, &operands) else { continue };
            legal += 1;
            let mut array = truth_table();
            let before = values(&array);
            array.execute(instruction).unwrap();
            for (register, after) in REGISTERS.into_iter().zip(values(&array)) {
                // If two operands are the same register, the result listed first counts.
                let result = results.iter().find(|(operand, _)| operands[*operand] == register);
                let scratch = (uses_r0 && register == R0) || (uses_r12 && register == R12);
                if result.is_none() && scratch {
                    continue;
                }
                for (pe, &after) in after.iter().enumerate() {
                    let value = |bit: Bit| before[REGISTERS.iter().position(|&other| other == bit).unwrap()][pe];
                    let inputs: Vec<bool> = operands.iter().map(|&bit| value(bit)).collect();
                    let expected = match result {
                        // A value for R12 is written only where R0 is 1.
                        Some(_) if register == R12 && !value(R0) => value(R12),
                        Some((_, result)) => result(&inputs),
                        None => value(register),
                    };
                    assert_eq!(after, expected, "{instruction} {register} from {inputs:?}");
                }
            }
        }
        assert!(legal > 0, "{}", op.name());
    }
}

/// FLAG, SELECT and RECT can be operands wherever a macro reads a bit.
#[test]
fn macros_read_the_other_bits_as_they_read_registers() {
    let copies = [(FLAG, R5), (SELECT, R6), (RECT, R7)];
    for &op in Op::DIGITAL {
        let Some((results, ..)) = documented(op) else { continue };
        let is_read: Vec<bool> = op.operands().iter().map(|kind| *kind == OperandKind::BitSource).collect();
        for operands in operand_lists(op.operands().len()) {
            let others = operands.iter().zip(&is_read).map(|(&bit, read)| {
                let other = copies.iter().find(|(_, copy)| *read && *copy == bit);
                other.map_or(bit, |(other, _)| *other)
            });
            let others: Vec<Bit> = others.collect();
            let (Some(plain), Some(instruction)) = (assemble(op, &operands), assemble(op, &others)) else { continue };
            let (mut expected, mut found) = (truth_table(), truth_table());
            for (other, copy) in copies {
                found.load_bits(other, &expected.read_bits(copy).unwrap()).unwrap();
            }
            expected.execute(plain).unwrap();
            found.execute(instruction).unwrap();
            for (result, _) in results {
                let register = operands[*result];
                assert_eq!(found.read_bits(register), expected.read_bits(register), "{instruction}");
            }
        }
    }
}

/// The rules printed for the vendor's macros, with free registers.
#[test]
fn operands_may_share_a_register_where_the_results_allow_it() {
    for operands in operand_lists(3) {
        let [a, b, c] = operands[..] else { unreachable!() };
        if [a, b, c].iter().any(|&bit| ![R5, R6, R7].contains(&bit)) {
            continue;
        }
        let legal = |op, operands: &[Bit]| assemble(op, operands).is_some();
        assert!(legal(Op::And, &[a, b, c]) && legal(Op::Nand, &[a, b, c]) && legal(Op::Or, &[a, b]));
        assert!(legal(Op::Mux, &[a, b, c, a]) && legal(Op::Mux, &[a, a, a, b]));
        for op in [Op::Andx, Op::Nandx] {
            assert_eq!(legal(op, &[a, b, c]), b != a && b != c, "{a} {b} {c}");
        }
        for op in [Op::Imp, Op::Nimp] {
            assert_eq!(legal(op, &[a, b, c]), a != b, "{a} {b} {c}");
        }
        assert_eq!(legal(Op::Xorx, &[a, b, c]), a != b && a != c && b != c, "{a} {b} {c}");
        assert_eq!(legal(Op::ClrIf, &[a, b]), a != b);
    }
    let error = |op, operands: &[Bit]| {
        Macro::new(op, &operands.iter().map(|&bit| bit.into()).collect::<Vec<_>>()).unwrap_err().to_string()
    };
    assert_eq!(
        error(Op::And, &[R5, R0, R6]),
        "operand 2 of `AND` is overwritten by the instruction before it is read; use another register"
    );
    assert_eq!(
        error(Op::ClrIf, &[R12, R6]),
        "operand 1 of `CLR_IF` cannot be `R12`, which is written only where `R0` is 1; use another register"
    );
    assert_eq!(error(Op::And, &[FLAG, R5, R6]), "operand 1 of `AND` must be a digital register (`R0` to `R12`)");
}

#[test]
fn native_words() {
    let run = |instruction: Instruction| {
        let mut array = truth_table();
        array.execute(instruction).unwrap();
        move |bit| array.read_bits(bit).unwrap()
    };
    let [r0, r12, r5, r6] = [R0, R12, R5, R6].map(|bit| truth_table().read_bits(bit).unwrap());
    let each = |f: &dyn Fn(usize) -> bool| (0..r0.len()).map(f).collect::<Vec<_>>();
    assert_eq!(run(set(&[R5, R6]))(R6), vec![true; r0.len()]);
    assert_eq!(run(clr(&[R5, R6]))(R5), vec![false; r0.len()]);
    assert_eq!(run(or(R7, &[R5, R6, R12]))(R7), each(&|pe| r5[pe] | r6[pe] | r12[pe]));
    assert_eq!(run(nor(R7, &[R5]))(R7), each(&|pe| !r5[pe]));
    assert_eq!(run(set(&[R12]))(R12), each(&|pe| r12[pe] | r0[pe]), "R12 is gated by R0");
    assert_eq!(run(or(R12, &[R5]))(R12), each(&|pe| if r0[pe] { r5[pe] } else { r12[pe] }));
    assert_eq!(run(or(R7, &[FLAG]))(R7), vec![true; r0.len()], "FLAG is 1 at the start");
    assert_eq!(run(or(R7, &[SELECT, RECT]))(R7), vec![false; r0.len()], "nothing is selected at the start");
}

/// `SET`, `CLR`, `MOV`, `OR`, `NOT`, `NOR` with every list of operands that the words take.
#[test]
fn every_native_word_has_its_truth_table() {
    let table = truth_table();
    let before = values(&table);
    let place = |bit: Bit| REGISTERS.iter().position(|&other| other == bit).unwrap();
    let check = |instruction: Instruction, targets: &[Bit], result: &dyn Fn(usize) -> bool| {
        let mut array = table.clone();
        array.execute(instruction).unwrap();
        for (register, after) in REGISTERS.into_iter().zip(values(&array)) {
            for (pe, after) in after.into_iter().enumerate() {
                let open = register != R12 || before[place(R0)][pe];
                let written = targets.contains(&register) && open;
                let expected = if written { result(pe) } else { before[place(register)][pe] };
                assert_eq!(after, expected, "{instruction} {register}");
            }
        }
    };
    for count in 1..=3 {
        for list in operand_lists(count) {
            check(set(&list), &list, &|_| true);
            check(clr(&list), &list, &|_| false);
            for target in REGISTERS.into_iter().filter(|target| !list.contains(target)) {
                let any = |pe: usize| list.iter().any(|&bit| before[place(bit)][pe]);
                check(or(target, &list), &[target], &any);
                check(nor(target, &list), &[target], &|pe| !any(pe));
            }
        }
    }
    let four = [R1, R5, R6, R7];
    check(set(&four), &four, &|_| true);
    check(or(R12, &four), &[R12], &|pe| four.iter().any(|&bit| before[place(bit)][pe]));
    for target in REGISTERS {
        let Bit::Reg(register) = target else { unreachable!() };
        for operation in [Operation::Or, Operation::Nor] {
            let in_place = Logic::new(operation, &[register], &[R5, target]);
            assert_eq!(in_place.unwrap_err(), WordError::InPlace(register));
        }
    }
}

#[test]
fn flag_does_not_gate_digital_words() {
    let mut array = truth_table();
    array.execute(where_bits(&[R5, R6])).unwrap();
    let [r5, r6] = [R5, R6].map(|bit| array.read_bits(bit).unwrap());
    assert_eq!(array.read_bits(FLAG).unwrap(), r5.iter().zip(&r6).map(|(a, b)| a | b).collect::<Vec<_>>());
    array.execute(set(&[R7])).unwrap();
    assert!(array.read_bits(R7).unwrap().iter().all(|bit| *bit));
}

#[test]
fn a_digital_register_that_was_never_written_is_an_error() {
    let mut array = Array::new(2, 2);
    assert_eq!(array.execute(or(R5, &[R6])), Err(SimError::UnwrittenBit(R6)));
    assert_eq!(array.read_bits(R6), Err(SimError::UnwrittenBit(R6)));
    let error = array.execute(where_bits(&[R6])).unwrap_err();
    assert!(error.to_string().contains("`R6` is read before anything is written"), "{error}");
    assert_eq!(array.load_bits(R5, &[true]).unwrap_err(), SimError::WrongSize { found: 1, width: 2, height: 2 });
}

#[test]
fn operands_of_all_digital_instructions_are_bits() {
    for &op in Op::DIGITAL {
        let analogue = [OperandKind::Result, OperandKind::Source, OperandKind::Both, OperandKind::Direction];
        assert!(op.operands().iter().all(|kind| !analogue.contains(kind)), "{}", op.name());
    }
}

#[test]
fn bits_are_loaded_and_read_by_handles() {
    let (mut array, mut r) = (Array::new(3, 1), Dregs::new());
    let mask = array.load_bit_plane(&mut r.r7, &[true, false, true]).unwrap();
    assert_eq!(mask.bit(), R7);
    assert_eq!(array.read_bits(R7).unwrap(), [true, false, true]);
    array.execute(not_in_place(mask.bit())).unwrap();
    assert_eq!(array.read_bit_plane(&mask).unwrap(), [false, true, false]);

    assert!(matches!(array.load_bit_plane(&mut r.r5, &[true]), Err(SimError::WrongSize { found: 1, .. })));
    assert!(matches!(array.read_bit_plane(&r.r6.hold()), Err(SimError::UnwrittenBit(R6))));
}
