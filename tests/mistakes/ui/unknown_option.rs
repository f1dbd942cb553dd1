use cain_runtime::scamp_kernels;

scamp_kernels! {
    #[search(node = 1000)]
    fn near(A) -> B = [[1]];
    
    #[search(seconds = 3)]
    fn far(A) -> B = [[1]];
    
    #[search(objective = icw)]
    fn value(A) -> B = [[1]];
    
    #[serach(nodes = 1000)]
    fn attribute(A) -> B = [[1]];
}

fn main() {}
