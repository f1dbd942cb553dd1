//! Who is written: FLAG, ports, the border; and what comes from the sensor and the controller.

use cain_runtime::HostController;
use cain_runtime::isa::asm::digital::{FLAG, R1, R2, R5, clr, set, where_bits};
use cain_runtime::isa::asm::*;
use cain_runtime::isa::{Instruction, Reg, Store};
use cain_runtime::sim::{Array, SimError};

const IMAGE: [f32; 5] = [-2.0, -1.0, 0.0, 1.0, 2.0];

/// `IMAGE` in A from west to east, and 9 in B.
fn array() -> Array {
    let mut array = Array::new(5, 1);
    array.load_reg(A, &IMAGE).unwrap();
    array.load_reg(B, &[9.0; 5]).unwrap();
    array
}

fn after(program: &[Instruction], result: Reg) -> Vec<f32> {
    let mut array = array();
    program.iter().try_for_each(|&line| array.execute(line)).unwrap();
    array.read_reg(result).unwrap().to_vec()
}

#[test]
fn only_pes_with_flag_are_written() {
    assert_eq!(after(&[where_positive(&[reg(A)]), mov(B, A)], B), [9.0, 9.0, 9.0, 1.0, 2.0]);
    assert_eq!(after(&[where_positive(&[reg(A)]), all(), mov(B, A)], B), IMAGE);
    // FLAG is overwritten whatever it was.
    let nested = [where_positive(&[reg(A)]), where_positive(&[reg(B)]), mov(B, A)];
    assert_eq!(after(&nested, B), IMAGE);
    assert_eq!(after(&[where_positive(&[reg(A), reg(B)]), res(B)], B), [0.0; 5]);
}

#[test]
fn the_owner_of_a_cell_decides_about_writes_through_ports() {
    // FLAG is 1 in the two eastern PEs. Writing XW fills the NEWS of the west neighbour: the PE in the middle is
    // written by its neighbour with FLAG 1, but its own FLAG is 0; the easternmost is written from outside.
    let push = [mov(C, B), bus(&[NEWS], &[reg(B)]), where_positive(&[reg(A)]), bus(&[XW], &[reg(A)]), all()];
    let news = [&push[..], &[bus(&[reg(C)], &[NEWS])]].concat();
    assert_eq!(after(&news, C), [9.0, 9.0, 9.0, 2.0, 0.0]);
    // So movx is safe: each PE that takes part has the value of its neighbour, whose FLAG does not matter.
    assert_eq!(after(&[where_positive(&[reg(A)]), movx(B, A, WEST)], B), [9.0, 9.0, 9.0, 0.0, 1.0]);
    // mov2x is not: it reads the NEWS of a neighbour that has not written it.
    let far = [bus(&[NEWS], &[reg(B)]), where_positive(&[reg(A)]), mov2x(B, A, WEST, WEST)];
    assert_eq!(after(&far, B), [9.0, 9.0, 9.0, 9.0, 0.0]);
}

#[test]
fn abs_uses_flag_and_leaves_it_at_1() {
    let mut array = array();
    array.execute(where_bits(&[FLAG])).unwrap();
    array.execute(abs(B, A)).unwrap();
    assert_eq!(array.read_reg(B).unwrap(), [2.0, 1.0, 0.0, 1.0, 2.0]);
    assert_eq!(array.read_bits(FLAG).unwrap(), [true; 5]);
}

#[test]
fn flag_can_come_from_digital_registers_and_go_to_them() {
    let mut array = array();
    array.load_bits(R5, &[true, false, true, false, false]).unwrap();
    array.execute(where_bits(&[R5])).unwrap();
    array.execute(mov(B, A)).unwrap();
    assert_eq!(array.read_reg(B).unwrap(), [-2.0, 9.0, 0.0, 9.0, 9.0]);
}

#[test]
fn flag_gates_whole_instructions_as_it_gates_words() {
    let program = [where_positive(&[reg(A)]), diva(A, C, D), addx(B, A, B, EAST), sub(C, A, B)];
    let (mut whole, mut by_word) = (array(), array());
    for line in program {
        whole.execute(line).unwrap();
        line.words().try_for_each(|word| by_word.issue(word)).unwrap();
    }
    for reg in [A, B, C, D] {
        assert_eq!(whole.read_reg(reg), by_word.read_reg(reg), "{reg}");
    }
}

#[test]
fn the_border_can_be_given_a_level() {
    let mut array = Array::new(3, 1).outside(7.0);
    array.load_reg(A, &[1.0, 2.0, 3.0]).unwrap();
    for (direction, expected) in
        [(NORTH, [7.0; 3]), (SOUTH, [7.0; 3]), (EAST, [2.0, 3.0, 7.0]), (WEST, [7.0, 1.0, 2.0])]
    {
        array.execute(movx(B, A, direction)).unwrap();
        // What is pushed in from outside is inverted once more: outside PEs hold 7 too.
        assert_eq!(array.read_reg(B).unwrap(), expected, "{direction}");
    }
}

#[test]
fn capture_and_constant_input() {
    let mut array = Array::new(2, 1);
    assert_eq!(array.execute(get_image(A)), Err(SimError::Unwritten(Store::Pix)));
    array.expose(&[0.0, 127.0]).unwrap();
    array.execute(getpix(B, F)).unwrap_err();
    array.execute(get_image_full(A, B)).unwrap();
    assert_eq!(array.read_reg(A).unwrap(), [-127.0, 127.0]);
    assert_eq!(array.read_reg(B).unwrap(), [127.0, 0.0]);
    // The sensors were reset.
    array.execute(get_image(A)).unwrap();
    assert_eq!(array.read_reg(A).unwrap(), [0.0, 0.0]);

    assert_eq!(array.execute(bus(&[NEWS], &[IN])), Err(SimError::Unwritten(Store::In)));
    assert_eq!(array.set_in(f32::NAN), Err(SimError::NoLevel));
    array.set_in(-30.0).unwrap();
    array.execute(bus(&[NEWS], &[IN])).unwrap();
    array.execute(bus(&[reg(C)], &[NEWS])).unwrap();
    assert_eq!(array.read_reg(C).unwrap(), [-30.0; 2]);
}

#[test]
fn diffusion_is_a_setting() {
    let mut array = Array::new(3, 3);
    let mut spot = [0.0; 9];
    spot[4] = 64.0;
    array.load_reg(A, &spot).unwrap();
    assert_eq!(array.execute(gauss(B, A)), Err(SimError::NoDiffusion));
    let mut array = array.diffusion(0.25);
    array.execute(set(&[R1, R2])).unwrap();
    let word: Instruction = "blur(B,A);".parse().unwrap();
    array.execute(word).unwrap();
    assert_eq!(array.read_reg(B).unwrap(), [4.0, 8.0, 4.0, 8.0, 16.0, 8.0, 4.0, 8.0, 4.0].map(|value: f32| -value));
    array.execute(gauss(B, A)).unwrap();
    assert!((array.read_reg(B).unwrap().iter().sum::<f32>() - 64.0).abs() < 1e-4);
    // Without links nothing spreads.
    array.execute(clr(&[R1, R2])).unwrap();
    array.execute(gauss(B, A)).unwrap();
    assert_eq!(array.read_reg(B).unwrap(), spot);
}

#[test]
fn a_reset_of_the_sensor_does_not_ask_for_flag() {
    let mut array = array();
    array.expose(&[50.0; 5]).unwrap();
    array.execute(where_positive(&[reg(A)])).unwrap();
    array.execute(respix()).unwrap();
    array.execute(all()).unwrap();
    array.execute(bus(&[reg(B)], &[PIX])).unwrap();
    assert_eq!(array.read_reg(B).unwrap(), [127.0; 5]);
}

#[test]
fn the_squarer_is_a_setting() {
    assert_eq!(array().execute(sq(&[reg(A)])), Err(SimError::NoSquarer));
    let mut array = array().squarer(0.5);
    assert_eq!(array.execute(sq(&[reg(A), reg(C)])), Err(SimError::Unwritten(Store::Reg(C))));
    array.execute(bus(&[NEWS], &[reg(B)])).unwrap();
    array.execute(where_positive(&[reg(A)])).unwrap();
    array.execute(sq(&[reg(A), reg(B)])).unwrap();
    array.execute(all()).unwrap();
    array.execute(bus(&[reg(C)], &[NEWS])).unwrap();
    // (A + B)² / 2 where FLAG is 1, and what NEWS held elsewhere.
    assert_eq!(array.read_reg(C).unwrap(), [9.0, 9.0, 9.0, -50.0, -60.5]);
}
