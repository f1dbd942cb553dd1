use cain_runtime::scamp_kernels;

const SIDE: i32 = 2;
const HALF: f64 = 1.0 / 2.0;
const ROW: [i32; 3] = [1, 2, 1];

scamp_kernels! {
    fn misspelt(A) -> B = 1/8 * [[SIDEE, 4, SIDE]];
    fn computed(A) -> B = HALF * [[1]];
    fn row(A) -> B = 1/4 * ROW;
}

mod elsewhere {
    pub const SIDE: i32 = 3;
}

mod shadowed {
    use crate::elsewhere::SIDE;

    crate::scamp_kernels! { #[search(nodes = 20)]
        fn another(A) -> B = 1/8 * [[SIDE, 4, SIDE]];
    }
}

macro_rules! wrapped {
    ($name:ident) => {
        scamp_kernels! {
            fn $name(A) -> B = 1/8 * [[SIDE, 4, SIDE]];
        }
    };
}
wrapped!(wrapper);

fn main() {}
