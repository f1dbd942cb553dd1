//! Constants within programs of sums: words that have room for another source read a level, which mostly costs no
//! further word.
//!
//! The contribution of a level to the outputs follows from the proof of the program that reads it.

mod compensation;
mod constants;
mod reading;
mod rooms;

use cain_analysis::owned::Step;
use cain_isa::{Fraction, Instruction};
use cain_search::Proved;
use reading::{LIMIT, Place, Reading, apart, direct_places, follow, is_proved, longer_places};
use rooms::{Reach, Room, is_own};

use super::script::level;

pub(super) use reading::Wanted;

/// The most combinations of levels that are tried.
const MOST_TRIALS: usize = 256;
/// The difference between sums that is neglected, in DN.
const ROUNDING: f64 = 1e-9;

/// The steps of a program whose outputs are as wanted, if levels can achieve that, given the range of the values of
/// each input, and where the number 0 is in it, in DN.
pub(super) fn with_summands(
    program: &Proved,
    (ranges, zeros): (&[(f64, f64)], &[f64]),
    wanted: &[Wanted],
) -> Option<Vec<Step>> {
    let reach = Reach::of(program)?;
    let mut readings: Vec<Reading> = vec![];
    let mut direct: Option<Vec<Room>> = None;
    let offset = program.declaration().options.error_model.offset;
    for (i, wanted) in wanted.iter().enumerate() {
        if wanted.summand.abs() <= wanted.tolerance {
            continue;
        }
        let fits = |more: &Vec<Reading>| {
            let all: Vec<Reading> = readings.iter().chain(more).copied().collect();
            apart(&all)
                && follow(program.declaration(), program.listing(), &all)
                    .is_some_and(|it| it.fits(ranges, &all, offset))
        };
        let direct = direct.get_or_insert_with(|| reach.rooms(direct_places(program)));
        let first = |rooms: &[Room]| choices(rooms, i, *wanted).into_iter().take(MOST_TRIALS).find(fits);
        let more = first(direct).or_else(|| {
            let longer = reach.rooms(longer_places(program));
            first(&[direct.clone(), longer].concat())
        })?;
        readings.extend(more);
    }
    let mut listing = program.listing().to_vec();
    compensation::compensate((program, &reach), (ranges, zeros), wanted, (&mut listing, &mut readings));
    is_proved(program, &listing, &readings).then(|| steps(&listing, &readings))
}

/// Levels that add the wanted constant to one output and nothing to others: one level, or two with different factors.
/// Those that take fewer words come first.
fn choices(rooms: &[Room], output: usize, wanted: Wanted) -> Vec<Vec<Reading>> {
    let own = rooms.iter().filter(|room| is_own(&room.gains, output)).map(|room| (room.place, room.gains[output]));
    let mut own: Vec<(Place, Fraction)> = own.collect();
    own.sort_by_key(|(_, gain)| gain.abs());
    let reading = |(place, gain): (Place, Fraction), summand: f64| {
        let level = (summand / gain.to_f64()).round();
        #[expect(clippy::cast_possible_truncation, reason = "below the limit")]
        (level.abs() < LIMIT).then_some(Reading { place, level: level as i8, errors: [Fraction::ZERO; 3] })
    };
    let rest = |reading: &Reading, gain: Fraction, summand: f64| summand - gain.to_f64() * f64::from(reading.level);
    let is_near = |rest: f64| rest.abs() <= wanted.tolerance + ROUNDING;
    let mut all = vec![];
    for &place in &own {
        let one = reading(place, wanted.summand);
        all.extend(one.filter(|one| is_near(rest(one, place.1, wanted.summand))).map(|one| vec![one]));
    }
    for &coarse in &own {
        let Some(first) = reading(coarse, wanted.summand) else { continue };
        let left = rest(&first, coarse.1, wanted.summand);
        for &fine in &own {
            let second = reading(fine, left).filter(|second| is_near(rest(second, fine.1, left)));
            all.extend(second.map(|second| vec![first, second]));
        }
    }
    all.sort_by_key(|readings| readings.iter().filter(|reading| reading.place.before.is_some()).count());
    all
}

/// The listing with its levels, each of which is set as early as the previous one permits.
fn steps(listing: &[Instruction], readings: &[Reading]) -> Vec<Step> {
    let mut steps: Vec<Step> = vec![];
    let mut words: Vec<Instruction> = vec![];
    let mut set = None;
    let mut set_level = |steps: &mut Vec<Step>, words: &mut Vec<Instruction>, reading: &Reading| {
        let step = level(reading.level, reading.errors);
        if set.replace(step.clone()) != Some(step.clone()) {
            if !words.is_empty() {
                steps.push(Step::Execute(std::mem::take(words)));
            }
            steps.push(step);
        }
    };
    if let Some(first) = readings.iter().min_by_key(|reading| reading.place.index) {
        set_level(&mut steps, &mut words, first);
    }
    for (index, instruction) in listing.iter().enumerate() {
        if let Some(reading) = readings.iter().find(|reading| reading.place.index == index) {
            set_level(&mut steps, &mut words, reading);
            words.extend(reading.place.words().into_iter().map(Instruction::Word));
        } else {
            words.push(*instruction);
        }
    }
    steps.push(Step::Execute(words));
    steps
}

#[cfg(test)]
mod tests {
    use super::{Wanted, with_summands};
    use cain_analysis::owned::Step;
    use cain_analysis::owned::words;
    use cain_analysis::prove::{Atom, Polynomial};
    use cain_isa::asm::{A, B, C, D, IN, NEWS, bus, reg};
    use cain_isa::{Displacement, ErrorModel, Fraction, Instruction, Machine, transfer_error};
    use cain_search::{Declaration, Input, OffsetRule, Options, Output, Proved, verify};

    /// A program for B = `weight`·A, with C as scratch.
    fn program(weight: Fraction, listing: &[Instruction]) -> Proved {
        on_chip(ErrorModel { gain: 1.0, mismatch: 0.0, ..ErrorModel::measured() }, weight, listing)
    }

    fn on_chip(error_model: ErrorModel, weight: Fraction, listing: &[Instruction]) -> Proved {
        let mut kernel = Polynomial::new();
        kernel.add_term(Atom { channel: 0, displacement: Displacement::ZERO }, weight).unwrap();
        let declaration = Declaration {
            name: "sum".into(),
            inputs: vec![Input { reg: A, keep: true }],
            outputs: vec![Output { reg: B, kernel }],
            scratch: vec![C],
            machine: Machine::SCAMP5,
            options: Options { offset: OffsetRule::Any, error_model, ..Options::default() },
        };
        verify(&declaration, listing).unwrap()
    }

    fn steps(program: &Proved, summand: f64, tolerance: f64) -> Option<Vec<Step>> {
        with_summands(program, (&[(-100.0, 100.0)], &[0.0]), &[Wanted { summand, tolerance, is_compensated: false }])
    }

    /// The first word, which halves the value, errs by another amount than the second one, which reads what it has written.
    #[test]
    fn levels_take_out_what_is_left_of_errors() {
        let copy = program(Fraction::new(1, 2).unwrap(), &[bus(&[NEWS, reg(C)], &[reg(A)]), bus(&[reg(B)], &[NEWS])]);
        assert_eq!(copy.report().offset_error_by_destinations(B), Some([1, -1, 0].map(Fraction::from)));
        for summand in [0, 20, -20_i8] {
            let steps = |is_compensated| {
                let wanted = Wanted { summand: summand.into(), tolerance: 0.0, is_compensated };
                with_summands(&copy, (&[(-100.0, 100.0)], &[0.0]), &[wanted]).unwrap()
            };
            let plain = steps(false);
            let Step::Compensation { level, errors } = steps(true)[0].clone() else { panic!("{:?}", steps(true)) };
            // Half of it reaches the sum or all of it, with the sign turned or not.
            let times = errors[1];
            assert!([1, 2].map(Fraction::from).contains(&times.abs()), "{times}");
            assert_eq!(Some(Fraction::from(i32::from(level))), times.checked_mul(i32::from(summand).into()));
            assert_eq!(errors, [times.negated(), times, Fraction::ZERO]);
            assert_eq!(words(&steps(true)), words(&plain));
            assert_eq!(plain.iter().any(|step| matches!(step, Step::Level(_))), summand != 0);
        }
        // Halves that need the whole range leave it by less with the level than without.
        let full = [Wanted { summand: 0.0, tolerance: 0.0, is_compensated: true }];
        let steps = with_summands(&copy, (&[(-254.0, 254.0)], &[0.0]), &full).unwrap();
        assert!(matches!(steps[..], [Step::Compensation { level: 0, .. }, Step::Execute(_)]), "{steps:?}");
    }

    /// Where writes halve values, an earlier error is half as large as a later one, and so is what the number 0 is.
    #[test]
    fn levels_take_out_what_gain_leaves() {
        for offset in [[4.0, 6.0, 8.0], [0.0, 5.0, 0.0]] {
            gain_is_taken_out(offset);
        }
    }

    fn gain_is_taken_out(offset: [f32; 3]) {
        let model = ErrorModel { gain: 0.5, mismatch: 0.0, offset, ..ErrorModel::ideal() };
        let [one, two, _] = offset.map(f64::from);
        let half = Fraction::new(1, 2).unwrap();
        let copy = on_chip(model, half, &[bus(&[NEWS, reg(C)], &[reg(A)]), bus(&[reg(B)], &[NEWS])]);
        for (zero, summand) in [(0.0, 0), (40.0, 0), (-24.0, 6), (20.0, -4_i8)] {
            let wanted = Wanted { summand: summand.into(), tolerance: 0.0, is_compensated: true };
            let steps = with_summands(&copy, (&[(-50.0, 50.0)], &[zero]), &[wanted]).unwrap();
            let Step::Compensation { level, errors } = steps[0] else { panic!("{steps:?}") };
            let level = (f64::from(level) + transfer_error(&errors, model.offset)).round();
            // One of the words reads it.
            let listing: Vec<Instruction> = steps.iter().filter_map(Step::listing).flatten().copied().collect();
            let [first, second] = [0, 1].map(|index| if is_read_by(&listing[index]) { level } else { 0.0 });
            assert_eq!((listing.len(), first + second), (2, level));
            let news = -(zero + first) / 2.0 * 0.5 + two;
            let found = -(news + second) * 0.5 + one;
            assert!((found - (zero / 2.0 + f64::from(summand))).abs() <= 0.25, "{zero} {summand}: {found}, {steps:?}");
        }
    }

    fn is_read_by(instruction: &Instruction) -> bool {
        instruction.words().any(|word| word.sources().contains(&IN))
    }

    /// What both words write reaches both sums.
    #[test]
    fn two_words_add_a_level_where_no_word_has_room() {
        let listing = [bus(&[NEWS, reg(D)], &[reg(A)]), bus(&[reg(B), reg(C)], &[NEWS])];
        let mut declaration =
            program(Fraction::new(1, 2).unwrap(), &[bus(&[NEWS, reg(C)], &[reg(A)]), bus(&[reg(B)], &[NEWS])])
                .declaration()
                .clone();
        let mut kernel = Polynomial::new();
        kernel.add_term(Atom { channel: 0, displacement: Displacement::ZERO }, Fraction::new(1, 4).unwrap()).unwrap();
        declaration.outputs = [B, C].map(|reg| Output { reg, kernel: kernel.clone() }).to_vec();
        declaration.scratch = vec![D];
        let both = verify(&declaration, &listing).unwrap();
        let half = Fraction::new(1, 2).unwrap();
        assert_eq!(both.report().offset_error_by_destinations(C), Some([Fraction::ZERO, half, Fraction::ZERO]));
        let wanted = Wanted { summand: 0.0, tolerance: 0.0, is_compensated: true };
        let steps = with_summands(&both, (&[(-100.0, 100.0)], &[0.0]), &[wanted; 2]).unwrap();
        // The same level serves both.
        let level = Step::Compensation { level: 0, errors: [Fraction::ZERO, half.negated(), Fraction::ZERO] };
        let add = |to| [bus(&[NEWS], &[reg(to), IN]), bus(&[reg(to)], &[NEWS])];
        assert_eq!(steps, [level, Step::Execute([listing, add(B), add(C)].concat())]);
        let apart = [wanted, Wanted { is_compensated: false, ..wanted }];
        assert_eq!(words(&with_summands(&both, (&[(-100.0, 100.0)], &[0.0]), &apart).unwrap()), 4);
    }

    #[test]
    fn summands_take_no_word_if_a_level_is_exact() {
        let copy = program(Fraction::ONE, &[bus(&[NEWS], &[reg(A)]), bus(&[reg(B)], &[NEWS])]);
        let added = steps(&copy, 10.0, 0.0).unwrap();
        assert!(matches!(added[..], [Step::Level(10 | -10), Step::Execute(_)]), "{added:?}");
        assert_eq!(words(&added), 2);
        // Half of a level takes a word that divides it.
        assert_eq!(words(&steps(&copy, 10.5, 0.0).unwrap()), 3);
        assert_eq!(words(&steps(&copy, 10.5, 0.5).unwrap()), 2);
        assert_eq!(steps(&copy, 0.0, 0.0).unwrap(), [Step::Execute(copy.listing().to_vec())]);
        // The first exceeds what registers hold, the other is finer than two levels can be.
        assert_eq!(steps(&copy, 30.0, 0.0), None);
        assert_eq!(steps(&copy, 0.01, 0.0), None);
    }
}
