//! Kernels over super-pixels, with what is done to sums. That they are found means that they are proved.

use cain_isa::prove::Polynomial;
use cain_search::digital::superpixel::{Carry, Declaration, Input, Layout, Output, search};

use crate::common::{SOBEL_X, kernel};

fn declaration(orders: &[Vec<Vec<usize>>], carry: Carry, kernel: Polynomial, bias: i64, relu: bool) -> Declaration {
    let layout = Layout::new(orders).unwrap();
    let bank = layout.banks() - 1;
    Declaration {
        name: "test".into(),
        layout,
        carry,
        inputs: vec![Input { name: "in".into(), bank, keep: false }],
        outputs: vec![Output { bias, relu, ..Output::sum("out".into(), bank, kernel) }],
        nodes: 5000,
    }
}

#[test]
fn bias_and_rectifier() {
    let layouts: [(Vec<Vec<Vec<usize>>>, usize); 3] = [
        (vec![vec![vec![1, 2, 3, 4], vec![8, 7, 6, 5], vec![9, 10, 11, 12], vec![16, 15, 14, 13]]], 20),
        ((1..9).map(|bit| vec![bit]).collect::<Vec<_>>().chunks(8).map(<[_]>::to_vec).collect(), 12),
        (vec![vec![vec![0, 0, 1, 2], vec![0, 0, 4, 3]], vec![vec![1, 2, 0, 0], vec![4, 3, 0, 0]]], 20),
    ];
    for (orders, most) in layouts {
        for carry in [Carry::Propagate, Carry::Steps] {
            let relu = search(&declaration(&orders, carry, Polynomial::input(0), 0, true)).unwrap();
            let words = relu.program.program().words();
            assert!(carry == Carry::Steps || words <= most, "{words} words: {orders:?}");
            for (bias, relu) in [(1, false), (-7, true)] {
                let given = declaration(&orders, carry, kernel(&[SOBEL_X]), bias, relu);
                let solution = search(&given).unwrap();
                // The constant is prepared once.
                assert!(solution.program.program().reserved.len() > usize::from(orders[0].len() > 1));
            }
        }
    }
    let given = declaration(&[vec![vec![1, 2], vec![4, 3]]], Carry::Propagate, Polynomial::input(0), 8, false);
    assert!(search(&given).unwrap_err().to_string().contains("no signed number of 4 bits"));
}
