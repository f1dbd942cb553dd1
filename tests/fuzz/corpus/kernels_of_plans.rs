scamp_kernels! {
#[search(max_gain = 2)]
fn mean(&A) -> B using (C, D) = 1/2 * [[0, 1, 1]];

fn gauss(A) -> A using (B, C, D) = 1/16 * [[1, 2, 1], [2, 4, 2], [1, 2, 1]];

#[search(objective = accuracy, isa = basic)]
fn change(&A, B) -> (B, C) { B = [[1, 0, -1]] * A; C = [[1]] * B; }

#[search(objective = icws)]
fn r#match(A) -> B = [[0]];

fn nothing(A) -> A = [[1]];

#[approximate(depth = 3, error = 0.1)]
fn rounded(&A) -> B using (C, D) = [[0.01, 0.49, 0.52]];

#[search(isa = native)]
fn slope(&A) -> B using (C, D) = [[1, 0, -1]];

#[search(isa = native, displacement = any, objective = accuracy)]
fn third(A, B) -> C = 1/3 * [[1, 1, 1]] * A + [[1]] * B;

#[search(displacement = cancelled)]
fn negative(&A) -> B using (C, D) = -1/2 * [[1]];
}
