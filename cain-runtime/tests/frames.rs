//! Programs that run frame after frame.

use cain_runtime::io::Size;
use cain_runtime::isa::asm::digital::or;
use cain_runtime::isa::asm::{A, B, C, IN, NEWS, all, bus, mov, reg, where_positive};
use cain_runtime::isa::program::{Body, Found, Held, Step, Term};
use cain_runtime::isa::{Bit, Dreg, Reg};
use cain_runtime::program::{
    Bits, Bounds, FrameError, Frames, Given, Input, Interface, Levels, List, Parameter, PlaneIo, Point,
};
use cain_runtime::sim::{Array, SimError};
use cain_runtime::trace::Meter;

const BRIGHT: Bit = Bit::Reg(Dreg::ALL[5]);
const MASK: Bit = Bit::Reg(Dreg::ALL[6]);

/// B is 0 before the first frame.
const PREPARATION: [Step; 1] = [Step::Execute(&[bus(&[NEWS], &[]), bus(&[reg(B)], &[NEWS])])];

/// What is brighter than number 0, which is listed twice; C is the picture of the frame before.
const STEPS: [Step; 8] = [
    Step::Compute { number: 2, formula: &[Term::Constant(0.0), Term::Number(0), Term::Subtract] },
    Step::LevelOf { number: 2, corrected: None },
    Step::Execute(&[where_positive(&[reg(A), IN]), or(BRIGHT, &[Bit::Flag]), all(), mov(C, B), mov(B, A)]),
    Step::Find { what: Found::Bounds, of: BRIGHT, first: 3 },
    Step::Find { what: Found::First, of: BRIGHT, first: 8 },
    Step::Find { what: Found::Ones, of: MASK, first: 11 },
    Step::Compute { number: 12, formula: &[Term::Constant(0.0)] },
    Step::Loop {
        most: 2,
        counter: 18,
        check: Body::new(&[Step::Compute { number: 17, formula: &[Term::Number(7)] }]),
        goes_on: 17,
        body: Body::new(&[Step::Append { list: 12, capacity: 1, numbers: &[3, 4] }]),
    },
];

const INTERFACE: Interface<'_> = Interface {
    inputs: &[
        Input { name: "image", held: Held::Reg(A), range: (-100, 100) },
        Input { name: "mask", held: Held::Bit(MASK), range: (0, 1) },
    ],
    parameters: &[Parameter { name: "threshold", number: 0, range: (-50, 50) }],
    is_first: 1,
    least_side: 0,
};

type Program = Frames<[f64; 19]>;

fn frame<'p, A: PlaneIo>(
    frames: &mut Program,
    array: &mut A,
    image: &[i8],
    mask: &[bool],
    threshold: i64,
) -> Result<(), FrameError<'p, A::Error>> {
    let given = [Given::Levels(image), Given::Bits(mask)];
    frames.frame_of(array, &INTERFACE, &STEPS, &[], (&given, &[threshold]))
}

#[test]
fn frames_follow_each_other() {
    let mut array = Array::new(8, 2);
    let mut frames = Program::begin(&mut array, &PREPARATION, [0.0; 19]).unwrap();
    let mut image = [0; 16];
    image[10] = 30;
    image[13] = 21;
    let mask = [true; 16];
    let mut levels = [0; 16];
    let before = |array: &mut Array, levels: &mut [i8]| Levels::new(C).read(array, levels).unwrap();
    for (is_first, count) in [(1, 7), (0, 7), (1, 7)] {
        if is_first == 1 {
            frames.reset(&mut array, &PREPARATION).unwrap();
        }
        frame(&mut frames, &mut array, &image, &mask, 20).unwrap();
        assert_eq!(frames.number(1), is_first);
        let number = |place| frames.number(place);
        assert_eq!(Bounds::of([3, 4, 5, 6, count].map(number)), Some(Bounds { top: 1, left: 2, bottom: 1, right: 5 }));
        assert_eq!(Point::of([8, 9, 10].map(number)), Some(Point { row: 1, column: 2 }));
        assert_eq!(number(11), 16);
        before(&mut array, &mut levels);
        assert_eq!(levels, if is_first == 1 { [0; 16] } else { image });
    }
    let mut bits = [false; 16];
    Bits::new(BRIGHT).read(&mut array, &mut bits).unwrap();
    assert_eq!(bits, std::array::from_fn(|pe| pe == 10 || pe == 13));
    let list = List::<2>::new(frames.numbers(12), 1);
    assert_eq!((list.len(), list.is_empty(), list.missed()), (1, false, 1));
    assert!(list.iter().eq([[1, 2]]));
    frame(&mut frames, &mut array, &image, &mask, 50).unwrap();
    let number = |place| frames.number(place);
    assert_eq!(Bounds::of([3, 4, 5, 6, 7].map(number)), None);
    assert_eq!(Point::of([8, 9, 10].map(number)), None);
    assert!(List::<2>::new(frames.numbers(12), 1).is_empty());
}

#[test]
fn what_cannot_be_done_changes_nothing() {
    let size = Size { width: 8, height: 2 };
    let mut array = Meter::new(Array::new(8, 2));
    let mut frames = Program::begin(&mut array, &PREPARATION, [0.0; 19]).unwrap();
    let words = array.report().to_string();
    let (mut image, mask) = ([0; 16], [true; 16]);
    image[9] = 101;
    for (image, mask, threshold, error) in [
        (&image[..], &mask[..], 51, FrameError::Parameter { name: "threshold", found: 51, range: (-50, 50) }),
        (&image[1..], &mask, 0, FrameError::Size { name: "image", found: 15, size }),
        (&[0; 16], &mask[2..], 0, FrameError::Size { name: "mask", found: 14, size }),
        (&image, &mask, 0, FrameError::Level { name: "image", found: 101, place: (1, 1), range: (-100, 100) }),
    ] {
        assert_eq!(frame(&mut frames, &mut array, image, mask, threshold), Err(error));
    }
    let large = Interface { least_side: 3, ..INTERFACE };
    let given = [Given::Levels(&[0; 16]), Given::Bits(&mask)];
    let small = frames.frame_of(&mut array, &large, &STEPS, &[], (&given, &[0])).unwrap_err();
    assert_eq!(small, FrameError::Small { least: 3, size });
    assert_eq!(small.to_string(), "the array has 8×2 PEs; the program takes at least 3 rows and 3 columns");
    assert_eq!(array.report().to_string(), words);
    assert_eq!(
        frame(&mut frames, &mut array, &[0; 16], &mask, -51).unwrap_err().to_string(),
        "parameter `threshold` is -51; expected a number from -50 to 50"
    );
    frame(&mut frames, &mut array, &[0; 16], &mask, 0).unwrap();
    assert_eq!(frames.number(1), 1);
}

/// The array refuses a register that was never written.
#[test]
fn after_an_error_of_the_array_states_are_lost() {
    const UNWRITTEN: [Step; 1] = [Step::Execute(&[mov(C, Reg::D)])];
    let mut array = Array::new(8, 2);
    let mut frames = Program::begin(&mut array, &PREPARATION, [0.0; 19]).unwrap();
    let found = frames.frame(&mut array, &INTERFACE, &UNWRITTEN, &[], &[0]);
    assert!(matches!(found, Err(FrameError::Array(SimError::Unwritten(_)))), "{found:?}");
    assert_eq!(frame(&mut frames, &mut array, &[0; 16], &[true; 16], 0), Err(FrameError::Broken));
    frames.reset(&mut array, &PREPARATION).unwrap();
    frame(&mut frames, &mut array, &[0; 16], &[true; 16], 0).unwrap();
}
