//! Tests that functions of networks agree with the network's evaluation in floating point, and with each other over all
//! front ends.

use cain_codegen::generate::{Maker, RuntimePath, source};
use cain_codegen::kinds::{Kind as _, Network as Declared};
use cain_codegen::plan_file::PlanFolder;
use cain_codegen::{Mode, Plans, kernel_file};
use cain_network::{Integers, Network, Operation, compile};
use cain_runtime::dense::{Dense, argmax, rectify};
use cain_runtime::network::counts;
use cain_runtime::program::Place;
use cain_runtime::sim::Array;
use cain_runtime::{Aregs, Dregs, scamp_kernels, scamp_network};

use super::Random;

scamp_kernels!(file = "digits.toml");
scamp_kernels!(file = "events.toml");
scamp_kernels!(file = "mixed.toml");

mod in_rust {
    use super::scamp_network;

    scamp_network! {
        /// The network of the kernel file, in Rust.
        #[search(nodes = 4_000)]
        pub(super) network digits {
            input = { size = [12, 12], levels = -60..60, binarise = 128 };
            edges = convolution {
                scale = 1/4,
                kernels = [[[-1, 0, 1], [-1, 0, 1]], [[1, -1, 0], [0, 1, -1]]],
                bias = [0, 3],
            };
            are_edges = threshold { at = [30, 14] };
            quarters = windows { size = 5 };
            hidden = dense {
                bits = 8,
                weights = [
                    [0.5, -0.25, 0.1, 0, 0.75, 0.3, -0.2, 0.11],
                    [0, 0.3, 0.3, -1, 0.2, -0.4, 0.5, 0.7],
                    [-0.6, 0.1, 0.4, 0.2, -0.3, 0.8, 0.05, -0.9],
                ],
                bias = [0.5, 0, -0.25],
            };
            rectified = rectify;
            scores = dense { weights = [[1, -1, 0.2], [-0.5, 0.75, 0.1], [0.3, 0.2, -0.4]] };
            class = argmax;
            balance = affine { from = scores, scale = 1/2, shift = 1 };
        }

        #[search(nodes = 2_000)]
        pub(super) network mixed {
            input = { size = [12, 12], levels = -60..60, binarise = 128 };
            smooth = convolution { scale = 1/4, kernels = [[[0, 1, 0], [1, 1, 1], [0, 1, 0]]] };
            bright = threshold { at = 0 };
            slope = digital { kernels = [[[-1, 0, 1], [-1, 0, 1]]], padding = [0, 1, 1, 1] };
            border = logic {
                from = [bright, slope],
                expressions = "bright & !(bright@east & bright@north) | slope[2] & slope[0]",
            };
            pixels = events { capacity = 70 };
            slopes = windows { from = slope, size = 5 };
            steep = relu { from = slope };
            sums = windows { size = 10 };
        }
    }
}

const SIZE: usize = 12;
const ARRAY: usize = 20;

/// The network of the kernel file.
fn network() -> Network {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/networks/digits.toml");
    let networks = kernel_file::load_networks(path.as_ref()).unwrap();
    networks.into_iter().next().unwrap().of.network
}

/// An array that shows a picture at a place, in bright surroundings.
fn array(picture: &[u8], at: Place) -> Vec<f32> {
    let mut plane = vec![41.0; ARRAY * ARRAY];
    for (i, pixel) in picture.iter().enumerate() {
        plane[(at.row + i / SIZE) * ARRAY + at.column + i % SIZE] = if *pixel >= 128 { 60.0 } else { -60.0 };
    }
    plane
}

/// The results of the layers on the controller for counts, with the integer weights of generated code.
#[expect(clippy::cast_possible_truncation, reason = "counts are whole, and the rest is rounded once")]
fn on_host(network: &Network, counts: &[f64]) -> (usize, Vec<f32>) {
    let counts: Vec<i32> = counts.iter().map(|count| *count as i32).collect();
    let table = |layer: usize| {
        let Operation::Dense { weights, bias, bits } = &network.layers[layer].operation else { panic!("no table") };
        let integers = Integers::new(weights, *bits);
        let weights: Vec<i16> =
            integers.weights.concat().into_iter().map(|weight| weight.try_into().unwrap()).collect();
        (weights, integers.scale as f32, bias.iter().map(|bias| *bias as f32).collect::<Vec<f32>>())
    };
    let (weights, scale, bias) = table(3);
    let mut hidden = vec![0.0; bias.len()];
    Dense::new(&weights, scale, &bias).apply(&counts, &mut hidden).unwrap();
    rectify(&mut hidden);
    let (weights, scale, bias) = table(5);
    let mut scores = vec![0.0; bias.len()];
    Dense::new(&weights, scale, &bias).apply(&hidden, &mut scores).unwrap();
    (argmax(&scores).unwrap(), scores.iter().map(|score| score * 0.5 + 1.0).collect())
}

#[test]
fn functions_compute_what_the_network_does() {
    let network = network();
    let mut dice = Random(3);
    let mut classes = [0; 3];
    for i in 0..24 {
        let picture = dice.picture(SIZE * SIZE);
        let at = Place { row: i % 7, column: 1 + i % 5 };
        let plane = array(&picture, at);

        let (mut regs, mut bits) = (Aregs::new(), Dregs::new());
        let registers = digits::Registers::of(&mut regs, &mut bits);
        let mut scamp = Array::new(ARRAY, ARRAY);
        let image = scamp.load(registers.image, &plane).unwrap();
        let heads = digits(&mut scamp, image, registers.scratch, at).unwrap();

        let values = network.evaluate(&picture).unwrap();
        for (found, expected) in heads.balance.iter().zip(values[7].numbers()) {
            assert!((f64::from(*found) - expected).abs() < 0.1, "{found} instead of {expected}");
        }
        assert_eq!((heads.class, heads.balance.to_vec()), on_host(&network, values[2].numbers()));
        classes[heads.class] += 1;

        let (mut regs, mut bits) = (Aregs::new(), Dregs::new());
        let registers = in_rust::digits::Registers::of(&mut regs, &mut bits);
        let mut scamp = Array::new(ARRAY, ARRAY);
        let image = scamp.load(registers.image, &plane).unwrap();
        let again = in_rust::digits(&mut scamp, image, registers.scratch, at).unwrap();
        assert_eq!((again.class, again.balance), (heads.class, heads.balance));
    }
    assert!(classes.iter().filter(|count| **count > 0).count() > 1, "{classes:?}");
}

/// Lists are typed, and layers that count their pixels behave as if they read maps.
#[test]
fn functions_list_pixels() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/networks/events.toml");
    let network = kernel_file::load_networks(path.as_ref()).unwrap().remove(0).of.network;
    let mut dice = Random(5);
    let mut incomplete = 0;
    for _ in 0..6 {
        let picture = dice.picture(SIZE * SIZE);
        let at = Place { row: 4, column: 3 };
        let (mut regs, mut bits) = (Aregs::new(), Dregs::new());
        let registers = events::Registers::of(&mut regs, &mut bits);
        let mut scamp = Array::new(ARRAY, ARRAY);
        let image = scamp.load(registers.image, &array(&picture, at)).unwrap();
        let heads = events(&mut scamp, image, registers.scratch, at).unwrap();

        let values = network.evaluate(&picture).unwrap();
        for (list, numbers) in heads.all.iter().zip(values[7].numbers().chunks(1 + 2 * 110)) {
            let pixels: Vec<_> =
                list.pixels().iter().map(|pixel| [f64::from(pixel.row), pixel.column.into()]).collect();
            assert_eq!(pixels.concat(), numbers[1..=2 * pixels.len()]);
            assert!(
                list.is_complete() && f64::from(u32::try_from(pixels.len()).unwrap()).total_cmp(&numbers[0]).is_eq()
            );
        }
        incomplete += values[2].numbers().chunks(1 + 2 * 9).filter(|list| list[0] > 9.0).count();
        let pairs = |found: &[f32], layer: usize| {
            for (found, expected) in found.iter().zip(values[layer].numbers()) {
                assert!((f64::from(*found) - expected).abs() < 1e-2, "{found} instead of {expected}");
            }
        };
        pairs(&heads.scores, 4);
        pairs(&heads.rectified, 5);
        pairs(&heads.shares, 6);
    }
    assert!(incomplete > 0);
}

/// The network goes from levels to bits and back, in both front ends and with a plan.
#[test]
fn functions_compute_on_bits() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/networks/mixed.toml");
    let network = kernel_file::load_networks(path.as_ref()).unwrap().remove(0).of.network;
    let [ours, theirs] = [&mixed::PLAN, &in_rust::mixed::PLAN].map(|plan| plan.steps().collect::<Vec<_>>());
    assert_eq!(ours, theirs);
    let mut dice = Random(9);
    for _ in 0..4 {
        let picture = dice.picture(SIZE * SIZE);
        let at = Place { row: 5, column: 2 };
        let (mut regs, mut bits) = (Aregs::new(), Dregs::new());
        let registers = mixed::Registers::of(&mut regs, &mut bits);
        let mut scamp = Array::new(ARRAY, ARRAY);
        let image = scamp.load(registers.image, &array(&picture, at)).unwrap();
        let heads = mixed(&mut scamp, image, registers.scratch, at).unwrap();

        let values = network.evaluate(&picture).unwrap();
        let pixels = heads.pixels[0].pixels().iter().map(|pixel| [f64::from(pixel.row), pixel.column.into()]);
        assert_eq!(pixels.collect::<Vec<_>>().concat(), values[4].numbers()[1..=2 * heads.pixels[0].pixels().len()]);
        assert_eq!(heads.slopes, counts(values[5].numbers(), 0));
        assert!((f64::from(heads.sums[0]) - values[7].numbers()[0]).abs() < 1e-3, "{:?}", heads.sums);
    }

    let folder = tempfile::tempdir().unwrap();
    let plans = PlanFolder::new(folder.path(), "plans");
    let searched = compile(&network).unwrap();
    let text = Declared::plan_file(&searched).to_string();
    let file = plans.file(&network.name);
    let declared = Declared { network };
    for (text, message) in [
        (text.clone(), None),
        (text.replacen("DNEWS0", "DNEWS1", 1), Some("layer `slope`")),
        (text.replacen("inputs: R5", "inputs: R6", 1), Some("layer `slope`")),
        (text.replacen("outputs: R", "outputs: R0,R", 1), Some("layer `slope`")),
        (text.replacen("slope(&n0: 1)", "slope(&n0: 2)", 1), Some("it has no program for `slope`")),
    ] {
        std::fs::write(&file, text).unwrap();
        let loaded = declared.load(&plans).map_err(|error| error.to_string());
        match (loaded, message) {
            (Ok(Some((compiled, _))), None) => assert!(compiled.steps().eq(searched.steps())),
            (Err(error), Some(message)) => assert!(error.contains(message), "{error}"),
            (loaded, _) => panic!("{message:?}: {:?}", loaded.err()),
        }
    }
}

#[test]
fn plans_tell_stages_words_and_times() {
    let compiled = compile(&network()).unwrap();
    let names: Vec<&str> = digits::PLAN.parts.iter().map(|part| part.name).collect();
    assert_eq!(names.first(), Some(&"edges[0,1]"));
    let words: usize = compiled.stages().iter().map(cain_network::Stage::words).sum();
    assert_eq!(digits::PLAN.words() as usize, words);
    assert_eq!(digits::PLAN.nanoseconds(), 190 * u64::from(digits::PLAN.words()));
    let pixels = digits::PLAN.pictures[0].pixels;
    assert_eq!(((pixels.height, pixels.width), digits::PLAN.numbers), ((SIZE, SIZE), 8));
    let [ours, theirs] = [&digits::PLAN, &in_rust::digits::PLAN].map(|plan| plan.steps().collect::<Vec<_>>());
    assert_eq!(ours, theirs);
}

/// The text that `cain-build` makes of the kernel file, with a folder of plans.
fn generated(mode: Mode, folder: Option<PlanFolder>) -> Result<String, String> {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/networks/digits.toml");
    let maker = Maker { name: "a test", runtime_option: "runtime" };
    let plans = Plans::new(mode, folder);
    let source = source(path.as_ref(), &RuntimePath::default(), &plans, maker, |_| {});
    source.map(|source| source.text).map_err(|error| error.to_string())
}

/// With a plan, nothing is searched for, and the code is the same.
#[test]
fn plans_are_proved_and_used() {
    let folder = tempfile::tempdir().unwrap();
    let plans = PlanFolder::new(folder.path(), "plans");
    let locked = || generated(Mode::Locked, Some(plans.clone()));
    let error = locked().unwrap_err();
    assert!(error.contains("plans/digits.scamp: the network has no plan"), "{error}");

    let network = network();
    let text = Declared::plan_file(&compile(&network).unwrap()).to_string();
    let file = plans.file(&network.name);
    std::fs::write(&file, &text).unwrap();
    assert_eq!(locked(), generated(Mode::Auto, None));

    // There are another weight, a program that computes something else, a missing part, and another kind of file.
    for (text, message) in [
        (text.replacen("-1 0 1", "-2 0 1", 1), "it has no program for"),
        (text.replacen("bus(B,XE", "bus(B,XW", 1), "it has no program for"),
        (text.lines().take(5).collect::<Vec<_>>().join("\n"), "the file ends here"),
        (text.replacen("cost: words=", "cost: words=1", 1), "these are not the costs of the program"),
        (text.replacen(" budget=", " nodes=", 1), "expected `search: version=.. budget="),
        (
            text.replacen("network: digits", "network: letters", 1),
            "the plan is for another network or other options: `network: letters`",
        ),
        (text.replacen("# cain plan v2", "# cain network plan v1", 1), "this is no plan"),
    ] {
        std::fs::write(&file, text).unwrap();
        let error = locked().unwrap_err();
        assert!(error.contains("plans/digits.scamp:") && error.contains(message), "{error}");
    }
}

#[test]
fn without_programs_there_are_signatures() {
    let text = generated(Mode::Stub, None).unwrap();
    assert!(text.contains("the network `digits` has no program; build without `CAIN_PLANS=stub`"), "{text}");
    assert!(text.contains("pub balance: [::core::primitive::f32; 3],") && text.contains("parts: &[],"), "{text}");
}
