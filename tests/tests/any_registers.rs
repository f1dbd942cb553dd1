//! Tests that filters which name planes run in any registers, with the program of their plan.

#![allow(non_snake_case, reason = "a filter with the usual name of the host controller's type")]

use cain_runtime::isa::asm::{A, C, D, E, F};
use cain_runtime::isa::{Machine, Reg};
use cain_runtime::prove::Prover;
use cain_runtime::reg::{self, Register};
use cain_runtime::trace::Recorder;
use cain_runtime::{Areg, Aregs, HostController, Plane, scamp_kernels};

scamp_kernels! {
    /// Macro instructions, in place.
    #[search(isa = macro)]
    pub fn average(image) -> image using (t, u) = 1/2 * [[0, 1, 1]];
    /// Control words; the planes of an input that is kept and of several outputs.
    #[search(nodes = 2_000, max_gain = own)]
    fn slopes(&image) -> (east, north) using (t, u) { east = [[-1, 0, 1]]; north = [[1], [0], [-1]]; }
    /// The names would clash with type parameters and others.
    fn H(h, host) -> (h, host) using t { h = [[1]] * host; host = [[1]] * h; }
    /// Its output is never written.
    fn same(image) -> image using () = [[1]];
}

/// The contents of registers after a call, from images in `inputs`.
fn values<const N: usize>(
    inputs: &[Reg],
    outputs: [Reg; N],
    call: impl FnOnce(&mut Prover, &mut Aregs),
) -> [String; N] {
    let mut prover = Prover::new(inputs).on(Machine::SCAMP5);
    call(&mut prover, &mut Aregs::new());
    outputs.map(|reg| prover.value(reg).unwrap().to_string())
}

#[test]
fn a_filter_runs_in_the_registers_of_its_handles() {
    let found = values(&[D], [D], |scamp, r| {
        average(scamp, r.d.hold(), &mut r.a, &mut r.f).unwrap();
    });
    assert_eq!(found, ["1/2 + 1/2·x"]);
    let found = values(&[F], [A, C], |scamp, r| {
        let image = r.f.hold();
        let (east, north) = slopes(scamp, &image, &mut r.a, &mut r.c, &mut r.d, &mut r.e).unwrap();
        assert_eq!((image.reg(), east.reg(), north.reg()), (F, A, C));
    });
    assert_eq!(found, ["-x^-1 + x", "-y^-1 + y"]);
    let found = values(&[E, C], [E, C], |scamp, r| {
        H(scamp, r.e.hold(), r.c.hold(), &mut r.b).unwrap();
    });
    assert_eq!(found, ["b", "1"]);
    let found = values(&[E], [E], |scamp, r| {
        same(scamp, r.e.hold()).unwrap();
    });
    assert_eq!(found, ["1"]);
}

/// Generic code can call the function with other registers.
#[test]
fn registers_may_be_generic_further_up() {
    fn twice<'i, C: HostController, I: Register, T: Register, U: Register>(
        scamp: &mut C,
        image: Plane<'i, I>,
        t: &mut Areg<T>,
        u: &mut Areg<U>,
    ) -> Result<Plane<'i, I>, C::Error> {
        let image = average(scamp, image, t, u)?;
        average(scamp, image, u, t)
    }
    let found = values(&[C], [C], |scamp, r| {
        twice(scamp, r.c.hold(), &mut r.e, &mut r.a).unwrap();
    });
    assert_eq!(found, ["1/4 + 1/2·x + 1/4·x^2"]);
}

/// In the first registers, the program is that of the plan; in others, only the names of registers differ.
#[test]
fn the_program_is_that_of_the_plan() {
    let mut scamp = Recorder::new(Prover::new(&[A]));
    let mut r = Aregs::new();
    average(&mut scamp, r.a.hold(), &mut r.b, &mut r.c).unwrap();
    assert_eq!(scamp.listing(), average::PLAN.listing);

    let mut scamp = Recorder::new(Prover::new(&[F]));
    average(&mut scamp, r.f.hold(), &mut r.e, &mut r.d).unwrap();
    let renamed = |line: &str| -> String {
        let other = |letter| match letter {
            'A' => 'F',
            'B' => 'E',
            'C' => 'D',
            letter => letter,
        };
        let (name, operands) = line.split_at(line.find('(').unwrap());
        format!("{name}{}", operands.chars().map(other).collect::<String>())
    };
    let wanted: Vec<String> = average::PLAN.listing.iter().map(|line| renamed(&line.to_string())).collect();
    assert_eq!(scamp.listing().iter().map(ToString::to_string).collect::<Vec<_>>(), wanted);
}

/// Machines with more registers have types for them.
#[test]
fn registers_beyond_those_of_scamp5() {
    let (mut image, mut t, mut u) = (Areg::<reg::R<18>>::new(), Areg::<reg::Z>::new(), Areg::<reg::A>::new());
    let mut prover = Prover::new(&[image.reg()]);
    let image = average(&mut prover, image.hold(), &mut t, &mut u).unwrap();
    assert_eq!(prover.value(image.reg()).unwrap().to_string(), "1/2 + 1/2·x");
}
