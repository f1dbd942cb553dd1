//! Checks what follows from the expansions against what the vendor documents.

use super::{Macro, Operand};
use crate::{Direction, MacroError, Op, Reg, WordError};

fn legal(op: Op, operands: &[Operand]) -> bool {
    Macro::new(op, operands).is_ok()
}

/// The aliasing rules of the machine description, derived again from the expansions.
#[test]
fn aliasing_rules_follow_from_the_expansions() {
    let [a, b, c] = [Reg::A, Reg::B, Reg::C].map(Operand::Reg);
    let east = Operand::Direction(Direction::East);
    assert!(legal(Op::Mov, &[a, a]));
    assert!(legal(Op::Add, &[a, a, b]) && legal(Op::Add, &[a, b, a]) && !legal(Op::Add, &[a, b, b]));
    assert!(legal(Op::Sub, &[a, a, b]) && legal(Op::Sub, &[a, b, b]) && !legal(Op::Sub, &[a, b, a]));
    assert!(!legal(Op::Neg, &[a, a]) && !legal(Op::Divq, &[a, a]));
    assert!(!legal(Op::Div, &[a, a, b]) && !legal(Op::Div, &[a, b, a]) && !legal(Op::Div, &[a, b, b]));
    assert!(legal(Op::DivCopy, &[a, b, c, c]));
    assert!(!legal(Op::DivCopy, &[a, b, c, a]) && !legal(Op::DivCopy, &[a, b, c, b]));
    assert!(!legal(Op::DivCopy, &[a, b, a, c]) && !legal(Op::DivCopy, &[a, b, b, c]));
    assert!(!legal(Op::Diva, &[a, b, b]) && !legal(Op::Diva, &[a, a, b]) && !legal(Op::Diva, &[a, b, a]));
    assert!(legal(Op::Movx, &[a, a, east]));
    assert!(legal(Op::Addx, &[a, a, b, east]) && !legal(Op::Addx, &[a, b, b, east]));
    assert!(legal(Op::Subx, &[a, a, east, b]) && legal(Op::Subx, &[a, b, east, b]));
    assert!(!legal(Op::Subx, &[a, b, east, a]) && !legal(Op::Subx, &[a, a, east, a]));
}

#[test]
fn operands_are_checked() {
    let a = Operand::Reg(Reg::A);
    assert_eq!(Macro::new(Op::Mov, &[a]), Err(MacroError::Count { op: Op::Mov }));
    assert_eq!(Macro::new(Op::Movx, &[a, a, a]), Err(MacroError::Kind { op: Op::Movx, position: 2 }));
    assert_eq!(Macro::new(Op::Neg, &[a, a]), Err(MacroError::Word(WordError::Repeated(Reg::A))));
}

/// A name and a number of operands identify one instruction, and so does a function of `asm`.
#[test]
fn overloads_are_told_apart() {
    for &op in Op::ALL {
        assert_eq!(Op::find(op.name(), op.operands().len()), Some(op));
        assert!(Op::ALL.iter().all(|&other| other == op || other.constructor() != op.constructor()), "{op:?}");
    }
    assert_eq!([Op::Div, Op::DivCopy].map(Op::constructor), ["div", "div_copy"]);
}

#[test]
fn counts_of_words() {
    for &op in Op::ARITHMETIC {
        let expected = if matches!(op, Op::Div | Op::DivCopy | Op::Diva) { 5 } else { 2 };
        assert_eq!(op.icws(), expected, "{}", op.name());
    }
    for (op, icws) in [
        (Op::Res2, 3),
        (Op::Abs, 6),
        (Op::Respix, 3),
        (Op::RespixRead, 5),
        (Op::GetImage, 5),
        (Op::GetImageFull, 6),
        (Op::Getpix, 2),
        (Op::GetpixFull, 3),
        (Op::Newsblur, 2),
        (Op::NewsblurTimes, 2),
        (Op::Gauss, 7),
        (Op::GaussTimes, 3),
        (Op::Not, 2),
        (Op::And, 4),
        (Op::Andx, 3),
        (Op::Imp, 2),
        (Op::Xorx, 6),
        (Op::Mux, 5),
        (Op::ClrIf, 2),
        (Op::Refresh, 2),
        (Op::Dnews, 3),
        (Op::Prop0, 2),
    ] {
        assert_eq!(op.icws(), icws, "{}", op.name());
    }
}

#[test]
fn an_operand_repeats_the_instruction() {
    let [a, b] = [Reg::A, Reg::B].map(Operand::Reg);
    let repeated = |op, times| Macro::new(op, &[b, a, Operand::Times(times)]);
    for (op, once, round) in [(Op::NewsblurTimes, 2, 2), (Op::GaussTimes, 3, 2)] {
        for times in [1, 2, 255] {
            let instruction = repeated(op, times).unwrap();
            assert_eq!(instruction.words().len(), once + round * (usize::from(times) - 1));
        }
        assert_eq!(repeated(op, 0), Err(MacroError::Kind { op, position: 2 }));
    }
    // The form without a number repeats as often as the vendor's.
    for (op, times_op, times) in [
        (Op::Newsblur, Op::NewsblurTimes, 1),
        (Op::Newsblurh, Op::NewsblurhTimes, 1),
        (Op::Newsblurv, Op::NewsblurvTimes, 1),
        (Op::Gauss, Op::GaussTimes, 3),
        (Op::Gaussh, Op::GausshTimes, 3),
        (Op::Gaussv, Op::GaussvTimes, 3),
    ] {
        for (y, x) in [(b, a), (a, a)] {
            let plain = Macro::new(op, &[y, x]).unwrap();
            let repeated = Macro::new(times_op, &[y, x, Operand::Times(times)]).unwrap();
            assert!(plain.words().eq(repeated.words()), "{plain}");
        }
    }
}
