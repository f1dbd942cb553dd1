//! The networks beside those with mistakes stay functions.

use cain_runtime::program::Place;
use cain_runtime::sim::{Array, SimError};
use cain_runtime::{Aregs, Dregs, scamp_network};

const HALF: f32 = 1.0 / 2.0;

scamp_network! {
    network good {
        input = { size = [4, 6], levels = -60..60 };
        slopes = convolution { scale = 1/2, kernels = [[[-1, 1]], [[1, -1]]] };
        are_edges = threshold { at = 30 };
        counts = windows { size = [4, 5] };
    }

    network misspelt {
        input = { size = [4, 6], levels = -60..60 };
        slopes = convolution { kernals = [[[-1, 1]]] };
        edges = treshold { at = 30 };
        class = argmax { from = slops };
    }

    #[interruptible(by = [reflex], latency <= 5 us)]
    network by_filters {
        input = { size = [4, 6], levels = -60..60 };
        slopes = convolution { scale = 1/2, kernels = [[[-1, 1]]] };
        sums = windows { size = 4 };
    }

    netwrk keyword {}

    network values {
        input = { size = [4, 6], levels = -60..60 };
        slopes = convolution { scale = HALF, kernels = [[[x, 1]]] };
        edges = threshold { at = 1 + 2 }
    }

    network empty {}
}

fn main() -> Result<(), SimError> {
    let (mut regs, mut bits) = (Aregs::new(), Dregs::new());
    let registers = good::Registers::of(&mut regs, &mut bits);
    let mut array = Array::new(8, 8);
    let image = array.load(registers.image, &[0.0; 64])?;
    let heads = good(&mut array, image, registers.scratch, Place { row: 2, column: 1 })?;
    let [ascending, descending] = heads.counts;
    assert_eq!(ascending, descending);
    Ok(())
}
