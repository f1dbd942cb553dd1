//! Mistakes in whole programs, and in how they are called.

use cain_runtime::scamp_program;
use cain_runtime::sim::Array;

scamp_program! {
    pub program misspelt(image, threshold: 0..=127 = 24) -> (mask, pixls) {
        let mask = image > treshold;
        let pixels = cuont(mask);
    }
}

scamp_program! {
    pub program Camel(image) -> (mask) {
        let mask = image > 10;
    }
}

scamp_program! {
    pub program carried(image, limit: 0..=9) -> (mask, turns) {
        var mask = image > later;
        var turns: 0..=5 = 0;
        repeat limit {
            mask = image + 1;
            turns = 7;
        }
        let later = 3;
        let part = flood(image > 3, image - limit);
    }
}

scamp_program!(file = "missing.cain");

scamp_program! {
    use "missing.toml";
    use negative, gauss from "kernels.toml";

    pub program called(image) -> (smooth) {
        let smooth = gauss(image);
    }
}

mod called {
    cain_runtime::scamp_program! {
        pub program good(image) -> (mask, pixels) {
            let mask = image > 10;
            let pixels = count(mask);
        }
    }
}

fn main() {
    let mut array = Array::scamp5();
    let mut program = called::Good::begin(&mut array).unwrap();
    let first = program.frame(&mut array).unwrap();
    // The planes of a frame are gone when the next one begins.
    let second = program.frame(&mut array).unwrap();
    let _ = (first.mask, second.mask);
}
