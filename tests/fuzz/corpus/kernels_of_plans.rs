scamp_kernels! {
#[search(isa = macro, offset = any, max_gain = 2)]
fn mean(&A) -> B using (C, D) = 1/2 * [[0, 1, 1]];

#[search(isa = macro, offset = any, max_gain = any)]
fn gauss(A) -> A using (B, C, D) = 1/16 * [[1, 2, 1], [2, 4, 2], [1, 2, 1]];

#[search(objective = accuracy, isa = basic, offset = any, max_gain = any)]
fn change(&A, B) -> (B, C) { B = [[1, 0, -1]] * A; C = [[1]] * B; }

#[search(objective = icws, isa = macro, offset = any, max_gain = any)]
fn r#match(A) -> B = [[0]];

#[search(isa = macro, offset = any, max_gain = any)]
fn nothing(A) -> A = [[1]];

#[search(isa = macro, offset = any, max_gain = any)]
#[approximate(depth = 3, error = 0.1)]
fn rounded(&A) -> B using (C, D) = [[0.01, 0.49, 0.52]];

// With a weight at another place it moves by less than twice as much as it may.
#[search(isa = native, offset = any, max_gain = any)]
#[approximate(depth = 4, error = 0.3, search)]
fn near(&A) -> B using (C, D) = [[0.3, 0.4, 0.3]];

#[search(isa = native, max_gain = any)]
fn slope(&A) -> B using (C, D) = [[1, 0, -1]];

#[search(isa = native, offset = any, objective = accuracy, max_gain = any)]
fn third(A, B) -> C = 1/3 * [[1, 1, 1]] * A + [[1]] * B;

#[search(isa = macro, offset = cancelled, max_gain = any)]
fn negative(&A) -> B using (C, D) = -1/2 * [[1]];

// Values are moved out of the way of others, or computed again: from the start, or from a later point.
#[search(isa = native, offset = any, max_gain = any)]
#[interruptible(registers = [B, C])]
fn away(A) -> A using (B, C, D) = 1/16 * [[1, 2, 1], [2, 4, 2], [1, 2, 1]];

#[search(isa = native, offset = any, max_gain = any)]
#[interruptible(registers = [C, D])]
fn back(&A) -> B using (C, D) = 1/4 * [[1, 2, 1], [0, 0, 0], [-1, -2, -1]];

#[search(isa = native, max_gain = any)]
#[interruptible(by = [small, other])]
fn again(&A, B) -> (B, C) using (D, E) { B = 1/2 * [[1, 0, -1]] * A; C = [[1], [1], [0]] * B; }

fn small(D) -> D using (E) = 1/2 * [[-1, 1, 0]];
fn other(E) -> E using () = [[1, 0, 0]];
}
