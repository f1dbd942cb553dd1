use cain_runtime::scamp_kernels;

scamp_kernels! {
    fn numbers(A) -> B = [[1, x, 2u8]];
    
    /// Nothing is wrong with this one.
    fn fine(A) -> B = [[0, 0, 1]];
    
    fn outputs(A) -> (B, C) {
        B = [[1, 2], [1]];
        D = [[1]];
    }
    
    fn arrow(A) => B = [[1]];
    
    #[search(nods = 3)]
    fn semicolon(A) -> B = [[1]]
    
    fn last(A, B) -> C = [[1]] + 2 * [[1]] * D;
}

fn main() {}
