//! Tests networks of many kinds: every one has a program or an obstacle of its own, and a larger budget never gives
//! one that costs more.

use std::ops::ControlFlow;

use cain_digital::{Logic, SearchError};
use cain_isa::{ErrorModel, Fraction, Machine};
use cain_network::{
    CompiledNetwork, Cost, Image, Layer, Network, NetworkError, Obstacle, Operation, Padding, Prediction, Problem,
    Shape, Source, Window, compile, compile_watched, predict, predict_against, synthetic_pictures,
};
use cain_search::{Objective, Options, SearchError as SumError};

/// A generator of pseudo-random numbers.
struct Dice(u64);

impl Dice {
    fn below(&mut self, end: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        usize::try_from(self.0 >> 33).unwrap() % end
    }

    /// A weight from −`most` to `most`.
    fn weight(&mut self, most: i32) -> i32 {
        i32::try_from(self.below(usize::try_from(2 * most + 1).unwrap())).unwrap() - most
    }

    fn kernel(&mut self, (rows, columns): (usize, usize), most: i32, quarters: i64) -> Vec<Vec<Fraction>> {
        let mut weight = || Fraction::new(self.weight(most).into(), quarters).unwrap();
        (0..rows).map(|_| (0..columns).map(|_| weight()).collect()).collect()
    }

    fn convolution(&mut self, outputs: usize, inputs: usize, size: (usize, usize)) -> Operation {
        let mut kernel = || (0..inputs).map(|_| self.kernel(size, 4, 4)).collect();
        Operation::Convolution {
            kernels: (0..outputs).map(|_| kernel()).collect(),
            bias: vec![0.0; outputs],
            stride: (1, 1),
            dilation: (1, 1),
            padding: Padding::NONE,
        }
    }

    fn digital(&mut self) -> Operation {
        let mut matrix = self.kernel((2, 2), 2, 1);
        // Numbers that are always 0 would be useless.
        matrix[0][0] = Fraction::from([-1, 1, 2][self.below(3)]);
        let [top, left] = [self.below(2), self.below(2)];
        Operation::Digital {
            kernels: vec![vec![matrix]],
            stride: (1, 1),
            dilation: (1, 1),
            padding: Padding { top, left, bottom: 1 - top, right: 1 - left },
        }
    }
}

fn network(name: String, binary: bool, options: Options) -> Network {
    let input =
        Image { height: 12, width: 12, levels: (-60.0, 60.0), range: (-60.0, 60.0), binarise: binary.then_some(128) };
    Network {
        name,
        input,
        pictures: vec![],
        largest_sums: Fraction::ONE,
        layers: vec![],
        machine: Machine::SCAMP5,
        options,
        interruption: None,
    }
}

fn with_nodes(nodes: u64) -> Options {
    Options { nodes, ..Options::default() }
}

/// Adds a layer, and returns the source for its readers.
fn add(network: &mut Network, from: &[Source], operation: Operation) -> Source {
    let layer = network.layers.len();
    network.layers.push(Layer { name: format!("layer{layer}"), from: from.to_vec(), operation });
    Source::Layer(layer)
}

fn threshold(at: f64, inclusive: bool) -> Operation {
    Operation::Threshold { at: vec![at], inclusive, below: 0.0, above: 1.0 }
}

fn whole(size: usize) -> Operation {
    Operation::Windows { windows: vec![Window { top: 0, left: 0, height: size, width: size }], mean: false }
}

/// A network of bits and numbers in bits, several of which are read by more than one layer.
fn shared_bits(seed: u64) -> Network {
    let mut dice = Dice(seed);
    let mut net = network(format!("bits{seed}"), true, with_nodes(40));
    let at = f64::from(dice.weight(50));
    let mut maps = vec![add(&mut net, &[Source::Image], threshold(at, false))];
    for _ in 0..2 + dice.below(4) {
        let from = maps[dice.below(maps.len())];
        let formats = net.exact();
        let bits = |source: Source| match source {
            Source::Image => 0,
            Source::Layer(layer) => formats[layer].as_ref().map_or(0, |formats| formats[0].bits()),
        };
        let operation = match dice.below(3) {
            // Numbers that have many bits already would get too many.
            0 if bits(from) <= 2 => dice.digital(),
            1 => threshold(f64::from(dice.weight(2)), dice.below(2) == 1),
            _ => {
                let other = maps[dice.below(maps.len())];
                let pixel = |dice: &mut Dice, input: usize, of: Source| {
                    let bit = u32::try_from(dice.below(usize::try_from(bits(of)).unwrap())).unwrap();
                    let at = cain_isa::Displacement::new(dice.weight(1).try_into().unwrap(), 0);
                    Logic::Pixel { input, bit, at }
                };
                let parts = vec![pixel(&mut dice, 0, from), pixel(&mut dice, 1, other)];
                let function = [Logic::All, Logic::Any, Logic::Odd][dice.below(3)](parts);
                maps.push(add(&mut net, &[from, other], Operation::Logic { functions: vec![function] }));
                continue;
            }
        };
        maps.push(add(&mut net, &[from], operation));
    }
    // The maps are read in another order than they were made.
    while !maps.is_empty() {
        let map = maps.swap_remove(dice.below(maps.len()));
        add(&mut net, &[map], whole(4));
    }
    net
}

/// Whether the obstacle is not a fault of the compiler: there are too few registers, or nodes.
fn is_obstacle(obstacle: &Obstacle) -> bool {
    match obstacle {
        Obstacle::Bits | Obstacle::BitsOfResult { .. } | Obstacle::TooWide(_) => true,
        Obstacle::Exact { error, .. } => matches!(error, SearchError::Registers(_) | SearchError::Budget { .. }),
        _ => false,
    }
}

#[test]
fn bits_of_a_number_are_kept_for_as_long_as_they_are_read() {
    let mut net = network("five".to_owned(), false, with_nodes(40));
    let bright = add(&mut net, &[Source::Image], threshold(-19.7, false));
    let rows = [[0, -1], [1, -2]].map(|row| row.map(Fraction::from).to_vec());
    let number = Operation::Digital {
        kernels: vec![vec![rows.to_vec()]],
        stride: (1, 1),
        dilation: (1, 1),
        padding: Padding { top: 0, left: 1, bottom: 1, right: 0 },
    };
    let number = add(&mut net, &[bright], number);
    let compared = add(&mut net, &[number], threshold(-1.0, true));
    let here = cain_isa::Displacement::ZERO;
    let either = Logic::Any(vec![Logic::pixel(0, here), Logic::Pixel { input: 1, bit: 1, at: here }]);
    let either = add(&mut net, &[bright, number], Operation::Logic { functions: vec![either] });
    add(&mut net, &[compared], whole(5));
    add(&mut net, &[either], whole(5));
    compile(&net).unwrap();
}

#[test]
fn networks_that_share_bits_are_compiled() {
    let mut compiled = 0;
    for seed in 0..100 {
        let net = shared_bits(seed);
        match compile(&net) {
            Ok(_) => compiled += 1,
            Err(error) => assert!(is_obstacle(&error.obstacle), "{error}\n{:#?}", net.layers),
        }
    }
    assert!(compiled >= 50, "{compiled} of 100");
}

/// A small network with sums that can be made together, rectifiers and pooling.
fn sums(seed: u64) -> Network {
    let mut dice = Dice(seed);
    let mut net = network(format!("sums{seed}"), false, with_nodes(1));
    let [first, second] = [1 + dice.below(4), 1 + dice.below(3)];
    let operation = dice.convolution(first, 1, (3, 3));
    let mut maps = add(&mut net, &[Source::Image], operation);
    if dice.below(2) == 0 {
        maps = add(&mut net, &[maps], Operation::Relu);
    }
    if dice.below(2) == 0 {
        let pool = Operation::MaxPool { size: (2, 2), stride: (2, 2), dilation: (1, 1), padding: Padding::NONE };
        maps = add(&mut net, &[maps], pool);
    }
    if dice.below(3) > 0 {
        let operation = dice.convolution(second, first, (2, 2));
        maps = add(&mut net, &[maps], operation);
        maps = add(&mut net, &[maps], [Operation::Relu, threshold(3.0, false)][dice.below(2)].clone());
    }
    add(&mut net, &[maps], whole(4));
    net
}

fn version(net: &Network, nodes: u64, objective: Objective) -> Option<CompiledNetwork> {
    let net = Network { options: Options { nodes, objective, ..net.options.clone() }, ..net.clone() };
    compile(&net).ok()
}

#[test]
fn more_nodes_never_cost_more() {
    const BUDGETS: [u64; 4] = [1, 4, 16, 60];
    for seed in 0..3 {
        let net = sums(seed);
        for objective in [Objective::default(), Objective::Icws] {
            let versions = BUDGETS.map(|nodes| version(&net, nodes, objective));
            let costs = versions.each_ref().map(|version| version.as_ref().map(Cost::of));
            let order = costs.map(|cost| cost.map_or((1, None), |cost| (0, Some(cost))));
            assert!(order.is_sorted_by(|less, more| less >= more), "{}: {order:?}", net.name);
            assert!(versions[BUDGETS.len() - 1].is_some(), "{}", net.name);
        }
    }
}

/// Words are spent only where smaller errors are expected, and the objective `icws` does not spend any.
#[test]
fn errors_decide_before_words() {
    let mut longer = 0;
    // Those whose versions differ today come first.
    for seed in [11, 17].into_iter().chain(0..32) {
        if longer == 2 {
            return;
        }
        let net = sums(seed);
        let [accurate, short] = [Objective::default(), Objective::Icws].map(|it| version(&net, 40, it).unwrap());
        assert!(short.words() <= accurate.words(), "{}", net.name);
        if short.words() == accurate.words() {
            continue;
        }
        longer += 1;
        let pictures = synthetic_pictures((net.input.height, net.input.width));
        let errors = |version: &CompiledNetwork| {
            let predicted = predict(version, &net.options.error_model, &pictures).unwrap();
            let changed = predicted.scores.as_ref().map_or(0.0, |scores| scores.changed);
            (changed, predicted.decisive().and_then(|numbers| numbers.share()).unwrap_or_default())
        };
        let (less, more) = (errors(&accurate), errors(&short));
        assert!(less.0 < more.0 || less.1 < more.1, "{}: {less:?} {more:?}", net.name);
    }
    assert_eq!(longer, 2);
}

/// What a version costs is predicted for the pictures of the network.
#[test]
fn costs_are_those_for_the_pictures_of_a_network() {
    let net = sums(3);
    let pixels = net.input.height * net.input.width;
    let synthetic = synthetic_pictures((net.input.height, net.input.width));
    let of = |pictures: Vec<Vec<u8>>| {
        let net = Network { pictures, options: with_nodes(1), ..net.clone() };
        Cost::of(&compile(&net).unwrap())
    };
    assert_eq!(of(vec![]), of(synthetic));
    assert_ne!(of(vec![]), of(vec![vec![255; pixels]]));
    let other = Network { pictures: vec![vec![0; pixels], vec![0; pixels - 1]], ..net.clone() };
    let problem = other.check().1.remove(0).to_string();
    assert_eq!(problem, format!("network `{}`: {} pixels are given, but the image has {pixels}", net.name, pixels - 1));
}

#[test]
fn the_same_budget_gives_the_same_programs() {
    let net = Network { options: with_nodes(50), ..sums(3) };
    let (one, other) = (compile(&net).unwrap(), compile(&net).unwrap());
    assert!(one.steps().eq(other.steps()));
}

/// Nodes only grow, the watch is not asked again once it breaks, and what was found by then may only cost more.
#[test]
fn a_watch_ends_a_network() {
    let net = Network { options: with_nodes(30), ..sums(1) };
    let mut all = Vec::new();
    let whole = compile_watched(&net, &mut |progress| {
        all.push(progress.nodes);
        ControlFlow::Continue(())
    });
    assert!(whole == compile(&net));
    let whole = whole.unwrap();
    assert!(all.is_sorted() && all.len() > 5, "{all:?}");
    for after in [0, all.len() / 2, all.len() - 2] {
        let mut calls = 0;
        let found = compile_watched(&net, &mut |_| {
            calls += 1;
            if calls > after { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        });
        assert_eq!(calls, after + 1);
        match found {
            Ok(found) => assert!(Cost::of(&found) >= Cost::of(&whole), "{after}: {} words", found.words()),
            Err(error) => assert!(matches!(*error.obstacle, Obstacle::Search(SumError::Budget { .. })), "{error}"),
        }
    }
}

#[test]
fn maps_that_nobody_reads_are_a_mistake() {
    let mut net = network("maps".to_owned(), false, with_nodes(20));
    let bits = add(&mut net, &[Source::Image], threshold(3.0, false));
    let around = Padding { top: 1, left: 1, bottom: 1, right: 1 };
    let pool = Operation::MaxPool { size: (3, 3), stride: (1, 1), dilation: (1, 1), padding: around };
    let pooled = add(&mut net, &[bits], pool);
    let unread = |layer, channels, bits| NetworkError {
        layer: Some(layer),
        name: format!("layer{layer}"),
        problem: Problem::Unread(Shape::Maps { channels, height: 12, width: 12, bits }),
    };
    assert_eq!(net.check().1, [unread(1, 1, true)]);
    let message = "layer `layer1`: makes 1 map of 12×12 pixels, which no other layer reads; add a layer that reads them out, \
                   `windows`, `plane` or `events`, or remove this one";
    assert_eq!(compile(&net).unwrap_err().to_string(), message);
    // This layer stands beside one that is read.
    add(&mut net, &[pooled], whole(12));
    assert_eq!(net.check().1, []);
    add(&mut net, &[bits, bits], Operation::Concatenate);
    add(&mut net, &[Source::Image], Operation::Abs);
    assert_eq!(net.check().1, [unread(3, 2, true), unread(4, 1, false)]);
    assert!(net.shapes().is_ok());
}

/// Zeros around a map are as good for its maxima as other numbers if no value is below zero.
#[test]
fn sums_and_maxima_of_positive_maps_share_their_padding() {
    let padding = Padding { top: 1, left: 1, bottom: 1, right: 1 };
    let branches = |is_positive: bool, is_sum_first: bool| {
        let mut net = network("branches".to_owned(), false, with_nodes(20));
        let kernels = vec![vec![vec![vec![Fraction::ONE; 3], vec![Fraction::ZERO; 3], vec![Fraction::ZERO; 3]]]];
        let maps = if is_positive { add(&mut net, &[Source::Image], Operation::Relu) } else { Source::Image };
        let sum = Operation::Convolution { kernels, bias: vec![0.0], stride: (1, 1), dilation: (1, 1), padding };
        let pool = Operation::MaxPool { size: (3, 3), stride: (1, 1), dilation: (1, 1), padding };
        let both = if is_sum_first { [sum, pool] } else { [pool, sum] };
        for operation in both {
            let made = add(&mut net, &[maps], operation);
            add(&mut net, &[made], whole(12));
        }
        compile(&net)
    };
    for is_sum_first in [true, false] {
        let found = branches(true, is_sum_first);
        assert!(found.is_ok(), "{:?}", found.map(|_| ()));
        let problem = branches(false, is_sum_first).unwrap_err().to_string();
        assert!(problem.contains("a map around which different layers need different values"), "{problem}");
    }
}

/// Numbers of the picture and bits are added whatever the mean and the deviation of pictures are, and in however many digits.
#[test]
fn sums_of_values_and_bits_are_compiled_for_normalised_pictures() {
    let ranges =
        [(-0.4242, 2.8215), (-0.424_212_962_388_992_3, 2.821_486_711_502_075), (-2.1179, 2.64), (2.1309, -1.9895)];
    for (range, levels) in ranges.into_iter().flat_map(|range| [(range, (-60.0, 60.0)), (range, (0.0, 60.0))]) {
        let mut dice = Dice(11);
        let mut net = network("normalised".to_owned(), false, with_nodes(1));
        net.input = Image { levels, range, ..net.input };
        let maps = add(&mut net, &[Source::Image], dice.convolution(1, 1, (2, 2)));
        let bits = add(&mut net, &[maps], threshold(0.25, false));
        let both = add(&mut net, &[maps, bits], Operation::Concatenate);
        let sum = add(&mut net, &[both], dice.convolution(1, 2, (1, 1)));
        add(&mut net, &[sum], Operation::Plane);
        let compiled = compile(&net);
        assert!(compiled.is_ok(), "{range:?} {levels:?}: {}", compiled.unwrap_err());
    }
}

/// As many layers as a network may have, each of which reads the one before.
#[test]
fn a_network_of_thousands_of_layers_needs_no_stack() {
    let compiled = std::thread::Builder::new().stack_size(1 << 20).spawn(|| {
        let mut net = network("deep".to_owned(), false, with_nodes(1));
        let mut last = Source::Image;
        for _ in 0..4000 {
            last = add(&mut net, &[last], Operation::Relu);
        }
        add(&mut net, &[last], Operation::Plane);
        compile(&net).map(|compiled| compiled.words())
    });
    assert!(compiled.unwrap().join().unwrap().unwrap() > 0);
}

/// The controller has integers for the weights of dense layers: all but one of these become 0 with 8 bits.
#[test]
fn rounded_dense_weights_are_predicted() {
    let mut net = network("dense".to_owned(), false, with_nodes(1));
    net.input = Image { height: 20, width: 20, range: (0.0, 1.0), ..net.input };
    let plane = add(&mut net, &[Source::Image], Operation::Plane);
    let mut weights = vec![vec![0.0; 400], vec![0.0039; 400]];
    (weights[0][0], weights[1][0]) = (1.0, 0.0);
    let dense = Operation::Dense { weights, bias: vec![0.0; 2], bits: 8 };
    add(&mut net, &[plane], dense);
    let compiled = compile(&net).unwrap();
    let white = vec![vec![255; 400]];
    let scores = |prediction: Option<Prediction>| prediction.unwrap().scores.unwrap();
    let rounded = scores(predict_against(&compiled, &ErrorModel::ideal(), &white, &net));
    assert!(rounded.lead < 1.0 && rounded.changed > 0.99, "{rounded:?}");
    let alone = scores(predict(&compiled, &ErrorModel::ideal(), &white));
    assert!(alone.changed < 0.01, "{alone:?}");
}
