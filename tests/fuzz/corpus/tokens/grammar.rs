/// Blur.
#[allow(dead_code)]
pub fn gauss(A) -> A = 1/16 * [[1, 2, 1], [2, 4, 2], [1, 2, 1],];
pub(crate) fn r#match(&A,) -> (B) using D = [[1]];
pub(in crate::x) fn f(&A) -> (B, C,) using (D, E,) { B = [[1, 0, -1]]; C = - [[1], [0], [1]] + 2 * [[1]]; }
#[search(nodes = 200_000, objective = icws, isa = basic, max_gain = 3/2)]
fn g(A) -> B using () = [[1]];
#[approximate(depth = 5, error = 0.05)]
#[cfg(test)]
fn h(A, B) -> C = [[0.11, 0.52, 0.13]] * A - 1/4 * [[1]] * B;
fn i(A) -> B = (-1/4) * [[-(1/2), (0.25), -1_000]] * A - -0.5 * [[1]];
/// Half of a blur, by a name.
const BLUR = 1/4 * [[1, WEIGHT, 1]] - [[1], [0]] at [0, 0];
const WEIGHT = -(2);
fn j(A) -> B = WEIGHT * BLUR * A + 1/2 * [[WEIGHT, -WEIGHT]] at [0, 1];
