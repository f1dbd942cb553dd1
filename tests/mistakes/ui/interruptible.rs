use cain_runtime::scamp_kernels;

scamp_kernels! {
    #[search(nodes = 20)]
    #[interruptible(by = [reflexx], latency <= 20 us)]
    fn near_miss(A) -> A using (B) = 1/2 * [[1, 1, 0]];

    #[search(nodes = 20)]
    #[interruptible(by = [itself, reflex, reflex])]
    fn itself(A) -> A using (B, E, F) = 1/2 * [[1, 1, 0]];

    #[search(nodes = 20)]
    #[interruptible(by = [reflex])]
    fn foreign(A) -> A using (B) = 1/2 * [[1, 1, 0]];

    #[search(nodes = 20)]
    #[interruptible(by = [reflex])]
    fn no_room(F) -> (E, F) using () { E = [[1]]; F = [[1, 0, 0]]; }

    #[search(nodes = 20)]
    #[interruptible(by = [reflex], latency <= 100 ns)]
    fn too_slow(A) -> A using (B, C, E, F) = 1/4 * [[1, 2, 1]];

    #[interruptible(latency <= 20 us)]
    fn by_nobody(A) -> A using (B) = 1/2 * [[1, 1, 0]];

    #[interruptible(by = [reflex], latency = 20 us)]
    fn not_a_bound(A) -> A using (B, E, F) = 1/2 * [[1, 1, 0]];

    #[interruptible(by = [reflex], latency <= 20 s)]
    fn unit(A) -> A using (B, E, F) = 1/2 * [[1, 1, 0]];

    #[interruptible(by = [reflex], latency <= 0 us)]
    fn nothing(A) -> A using (B, E, F) = 1/2 * [[1, 1, 0]];

    #[interruptible(registers = [E, R13])]
    fn by_an_unknown_register(A) -> A using (B, E) = 1/2 * [[1, 1, 0]];

    #[search(nodes = 20)]
    #[interruptible(by = [greedy])]
    fn by_a_greedy_one(A) -> A using (B, E, F) = 1/2 * [[1, 1, 0]];

    #[search(nodes = 20)]
    fn greedy(B) -> B = 1/2 * [[1, 1, 0]];

    #[search(nodes = 20)]
    fn reflex(F) -> F using (E) = 1/2 * [[1, 1, 0]];
}

fn main() {}
