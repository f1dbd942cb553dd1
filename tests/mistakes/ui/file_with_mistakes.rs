use cain_runtime::scamp_kernels;

scamp_kernels!(file = "kernels.toml");

fn main() {
    // What the signature follows from is right.
    let mut scamp = cain_runtime::sim::Array::scamp5();
    let mut r = cain_runtime::Aregs::new();
    let a = r.a.hold();
    let _ = ragged(&mut scamp, &a, &mut r.b);
}
