//! Networks of a kernel file that programs call by name, beside what the networks compute by themselves.

use cain_codegen::Overrides;
use cain_codegen::kernel_file::parse_any;
use cain_codegen::kinds::Item;
use cain_codegen::vision::{Filter, Meaning, read};
use cain_digital::Logic;
use cain_isa::random::SplitMix64;
use cain_isa::{Displacement, Fraction, Machine};
use cain_network::{Image, Layer, Network, Operation, Padding, Source, Value, Window};
use cain_search::Options;
use cain_vision::declaration::Declaration;

use super::planes::{Levels, Plane};
use super::run::Run;

/// The size of pictures.
const SIZE: (usize, usize) = (7, 9);
/// Where they are on the array.
const AT: (i64, i64) = (10, 11);
/// The rows and columns of the array.
const SIDE: i64 = 28;

/// A plane of the array.
fn plane<T>(value: impl Fn(i64, i64) -> T) -> Plane<T> {
    Plane::of(SIDE, SIDE, value)
}

fn network(layers: Vec<Layer>, binarise: Option<u8>) -> Network {
    Network {
        name: "net".to_owned(),
        input: Image { height: SIZE.0, width: SIZE.1, levels: (-64.0, 63.5), range: (0.0, 255.0), binarise },
        pictures: vec![],
        largest_sums: Fraction::ONE,
        layers,
        machine: Machine::SCAMP5,
        options: Options::default(),
        interruption: None,
    }
}

fn layer(name: &str, from: Vec<Source>, operation: Operation) -> Layer {
    Layer { name: name.to_owned(), from, operation }
}

/// A chain of layers, each of which reads the one before it.
fn chain(operations: Vec<Operation>, binarise: Option<u8>) -> Network {
    let from = |place: usize| vec![place.checked_sub(1).map_or(Source::Image, Source::Layer)];
    let layers = operations.into_iter().enumerate();
    network(layers.map(|(place, operation)| layer(&format!("l{place}"), from(place), operation)).collect(), binarise)
}

/// A program that calls a network, and keeps the picture before beside it.
fn declared(network: &Network, results: &str, body: &str) -> Declaration {
    let inputs = ["image", "at"].map(str::to_owned).to_vec();
    let meaning = Ok(Meaning::Network(Box::new(network.clone())));
    let at = "beside the programs".to_owned();
    let callable = Filter { name: "net".to_owned(), what: "network", at, inputs, needed: 1, meaning };
    let text = format!(
        "program p(image) -> ({results}, last) {{ state before = image; let last = before; {body} next before = image; }}"
    );
    let programs = read(&text, &[callable], &mut |_| Ok(Vec::new())).unwrap_or_else(|problems| {
        panic!("{text}: {}\n{network:?}", problems.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n"))
    });
    programs.into_iter().next().unwrap().declaration
}

/// Grey values of a picture: noise, with bright and dark parts.
fn greys(random: &mut SplitMix64) -> Vec<u8> {
    let (top, left) = (random.below(SIZE.0), random.below(SIZE.1));
    let pixel = |place: usize, noise: usize| {
        let is_bright = place / SIZE.1 >= top && place % SIZE.1 >= left;
        let grey = if is_bright { 150 + noise } else { noise };
        u8::try_from(grey.min(255)).unwrap()
    };
    (0..SIZE.0 * SIZE.1).map(|place| pixel(place, random.below(130))).collect()
}

/// What the array sees: the picture of a network in its place, and something else around it.
fn seen(network: &Network, greys: &[u8], random: &mut SplitMix64) -> Levels {
    let noise: Vec<f64> = (0..SIDE * SIDE).map(|_| random.below(250) as f64 - 125.0).collect();
    let input = Image { binarise: None, ..network.input };
    plane(|row, column| {
        let (y, x) = (row - AT.0, column - AT.1);
        let is_picture = (0..SIZE.0 as i64).contains(&y) && (0..SIZE.1 as i64).contains(&x);
        if is_picture {
            // Twice the levels of the network, which are whole then.
            2.0 * input.level(greys[y as usize * SIZE.1 + x as usize])
        } else {
            noise[(row * SIDE + column) as usize]
        }
    })
}

/// The numbers of the last layer.
fn evaluated(network: &Network, greys: &[u8]) -> Vec<f64> {
    match network.evaluate(greys).unwrap().pop() {
        Some(Value::Numbers(numbers)) => numbers,
        other => panic!("{other:?}"),
    }
}

fn convolution(kernels: Vec<Vec<Vec<Vec<Fraction>>>>, bias: Vec<f64>) -> Operation {
    Operation::Convolution { kernels, bias, stride: (1, 1), dilation: (1, 1), padding: Padding::NONE }
}

fn whole(weights: &[&[i32]]) -> Vec<Vec<Fraction>> {
    weights.iter().map(|row| row.iter().map(|weight| Fraction::from(*weight)).collect()).collect()
}

fn threshold(at: f64, inclusive: bool) -> Operation {
    Operation::Threshold { at: vec![at], inclusive, below: 0.0, above: 1.0 }
}

fn tiles(size: (usize, usize), mean: bool, map: (usize, usize)) -> Operation {
    Operation::Windows { windows: Window::tiles(map, size), mean }
}

/// Numbers times a factor, plus a summand.
fn numbers(scale: i32, shift: f64) -> Operation {
    Operation::Affine { scale: vec![Fraction::from(scale)], shift: vec![shift] }
}

/// The program and the network agree about numbers in so many parts of one, also while a state is kept, and in more than one frame.
fn agree(network: &Network, parts: f64, seed: u64) {
    let declaration = declared(network, "found", "let found = net(1/2 * image, at = (10, 11));");
    let mut run = Run::declared(SIDE, declaration);
    let mut random = SplitMix64::new(seed);
    let mut before: Option<Levels> = None;
    let is_class = network.layers.last().is_some_and(|layer| layer.operation == Operation::Argmax);
    for _ in 0..3 {
        let greys = greys(&mut random);
        let picture = seen(network, &greys, &mut random);
        let answers = run.frame(&picture, &[]);
        let wanted: Vec<f64> = evaluated(network, &greys).iter().map(|number| number * parts).collect();
        let found = if is_class { vec![answers.number("found")] } else { answers.numbers("found") };
        let found: Vec<f64> = found.iter().map(|number| *number as f64).collect();
        assert_eq!(found[..wanted.len()], wanted, "{network:?}\n{greys:?}");
        answers.has_all_levels("last", before.as_ref().unwrap_or(&picture));
        before = Some(picture);
    }
}

/// Weights of which no two are alike, so that no turned or mirrored kernel is the same.
fn lean() -> Vec<Vec<Fraction>> {
    whole(&[&[1, -2, 3], &[-4, 5, 6], &[7, 8, -9]])
}

#[test]
fn kernels_are_not_turned() {
    for (at, inclusive) in [(128.0, false), (900.5, true), (-77.25, false)] {
        let layers = vec![
            convolution(vec![vec![lean()]], vec![3.5]),
            threshold(at, inclusive),
            Operation::Plane,
            numbers(1, 0.0),
        ];
        agree(&chain(layers, None), 1.0, 1);
    }
}

/// Random layers on the array. What they make is compared bit by bit.
#[test]
fn layers_on_the_array() {
    for seed in 0..150 {
        let mut random = SplitMix64::new(seed);
        let binarise = (random.below(3) == 0).then(|| u8::try_from(random.below(256)).unwrap());
        let mut layers = Vec::new();
        for _ in 0..=random.below(4) {
            grow(&mut layers, &mut random, binarise);
        }
        let mut network = network(layers, binarise);
        let last = network.layers.len().checked_sub(1).map_or(Source::Image, Source::Layer);
        let ends =
            [threshold(40.3 + random.below(120) as f64, random.below(2) == 0), Operation::Plane, numbers(1, 0.0)];
        let mut from = last;
        for (place, operation) in ends.into_iter().enumerate() {
            let name = format!("end{place}");
            network.layers.push(layer(&name, vec![from], operation));
            from = Source::Layer(network.layers.len() - 1);
        }
        if network.heads().len() == 1 {
            agree(&network, 1.0, seed);
        }
    }
}

/// Another layer, if it fits.
fn grow(layers: &mut Vec<Layer>, random: &mut SplitMix64, binarise: Option<u8>) {
    let source = layers.len().checked_sub(1).map_or(Source::Image, Source::Layer);
    let shapes = if layers.is_empty() { Vec::new() } else { network(layers.clone(), binarise).shapes().unwrap() };
    let channels = match shapes.last() {
        Some(cain_network::Shape::Maps { channels, .. }) => *channels,
        _ => 1,
    };
    let stride = [(1, 1), (1, 1), (2, 2), (1, 2)][random.below(4)];
    let dilation = [(1, 1), (1, 1), (2, 1)][random.below(3)];
    let mut side = || random.below(2);
    let padding = Padding { top: side(), left: side(), bottom: side(), right: side() };
    let weight = |random: &mut SplitMix64| Fraction::new(random.below(9) as i64 - 4, 4).unwrap();
    let (mut from, operation) = match random.below(12) {
        0..=3 => {
            let size = (1 + random.below(3), 1 + random.below(3));
            let mut matrix = || (0..size.0).map(|_| (0..size.1).map(|_| weight(random)).collect()).collect();
            let kernels: Vec<Vec<Vec<Vec<Fraction>>>> =
                (0..2).map(|_| (0..channels).map(|_| matrix()).collect()).collect();
            let bias = (0..2).map(|_| random.below(64) as f64 - 32.0).collect();
            (vec![source], Operation::Convolution { kernels, bias, stride, dilation, padding })
        }
        4 => (vec![source], Operation::Relu),
        5 => (vec![source], Operation::Abs),
        6 => (vec![source], Operation::Clamp { low: 20.0, high: 100.0 }),
        7 => {
            let size = (2, 1 + random.below(2));
            (vec![source], Operation::MaxPool { size, stride, dilation, padding: Padding { top: 0, ..padding } })
        }
        8 => {
            let size = (2, 2);
            (vec![source], Operation::MeanPool { size, stride, dilation, padding, count_padding: true })
        }
        9 => {
            let at = (0..channels).map(|_| random.below(250) as f64 + 0.3).collect();
            (vec![source], Operation::Threshold { at, inclusive: random.below(2) == 0, below: -20.0, above: 110.0 })
        }
        10 => (vec![source], Operation::Affine { scale: vec![weight(random)], shift: vec![7.0] }),
        _ => (vec![source], if random.below(2) == 0 { Operation::Maximum } else { Operation::Minimum }),
    };
    // With maps of the same size from before.
    if matches!(operation, Operation::Maximum | Operation::Minimum) {
        let same = (0..layers.len().saturating_sub(1)).rfind(|place| shapes[*place] == *shapes.last().unwrap());
        from.extend(same.map(Source::Layer));
    }
    let added = layer(&format!("l{}", layers.len()), from, operation);
    let mut grown = layers.clone();
    grown.push(added);
    if network(grown.clone(), binarise).shapes().is_ok() {
        *layers = grown;
    }
}

#[test]
fn logic_is_0_around_the_picture() {
    let pixel = |input: usize, x: i16, y: i16| Logic::pixel(input, Displacement::new(x, y));
    let not = |part: Logic| Logic::Not(Box::new(part));
    let function = Logic::Any(vec![
        Logic::All(vec![pixel(0, 1, 0), not(pixel(0, 0, 2))]),
        Logic::Odd(vec![pixel(1, -1, -1), pixel(0, 0, 0)]),
    ]);
    let two = Operation::Threshold { at: vec![60.0, 100.0], inclusive: false, below: 0.0, above: 1.0 };
    let kernels = vec![vec![whole(&[&[1]])], vec![whole(&[&[1]])]];
    let layers = vec![
        convolution(kernels, vec![0.0; 2]),
        two,
        Operation::Logic { functions: vec![function] },
        Operation::Plane,
        numbers(1, 0.0),
    ];
    agree(&chain(layers, None), 1.0, 5);
}

/// Sums of bits and of whole levels are whole numbers, which dense layers of whole weights keep.
#[test]
fn numbers_that_are_whole() {
    let dense = Operation::Dense {
        weights: vec![vec![1.0, -2.0, 3.0, 4.0, 0.0, 5.0], vec![-7.0, 0.0, 1.0, 2.0, 9.0, -30.0]],
        bias: vec![11.0, -4.0],
        bits: 8,
    };
    let bits = vec![threshold(99.0, true), tiles((3, 3), false, SIZE), dense.clone(), Operation::Rectify];
    agree(&chain(bits, None), 1.0, 7);
    // All numbers of a head are in the same parts, so that they can be compared.
    let halves = Operation::Dense {
        weights: vec![vec![1.0, -2.0, 3.0, 4.0, 0.0, 5.0], vec![-7.0, 0.5, 1.0, 2.0, 9.0, -30.0]],
        bias: vec![11.0, -4.0],
        bits: 8,
    };
    agree(&chain(vec![threshold(99.0, true), tiles((3, 3), false, SIZE), halves], None), 1000.0, 9);
    // Sums of levels need not be whole.
    let double = convolution(vec![vec![whole(&[&[1, 1]])]], vec![0.0]);
    for (last, parts) in [(Operation::Argmax, 1.0), (numbers(3, 1.0), 1000.0)] {
        let levels = vec![threshold(99.0, true), double.clone(), tiles((3, 3), false, (7, 8)), last];
        agree(&chain(levels, None), parts, 8);
    }
}

/// Levels are read in whole DN; what need not be whole is in thousandths.
#[test]
fn numbers_that_are_not_whole() {
    let input = Image { height: SIZE.0, width: SIZE.1, levels: (-64.0, 63.0), range: (-64.0, 63.0), binarise: None };
    let weights = vec![vec![0.123, -0.31, 0.7, 0.011, 0.0, -0.5], vec![0.2, 0.02, -0.33, 0.1, 0.4, 0.05]];
    let dense = Operation::Dense { weights, bias: vec![0.25, -3.3], bits: 16 };
    let second = Operation::Dense { weights: vec![vec![0.3, -0.7], vec![0.9, 0.11]], bias: vec![0.4, 0.1], bits: 16 };
    let scores = vec![Operation::Relu, tiles((3, 3), true, SIZE), dense, Operation::Rectify, second];
    let mut network = chain(scores, None);
    network.input = input;
    network.layers.push(layer("class", vec![Source::Layer(4)], Operation::Argmax));
    network.layers.push(layer("scores", vec![Source::Layer(4)], numbers(1, 0.0)));
    let declaration = declared(&network, "class, scores", "let (class, scores) = net(image, at = (10, 11));");
    let mut run = Run::declared(SIDE, declaration);
    let mut random = SplitMix64::new(11);
    for _ in 0..20 {
        let greys: Vec<u8> = greys(&mut random).iter().map(|grey| grey / 2 * 2).collect();
        // Whole levels.
        let levels: Vec<f64> = greys.iter().map(|grey| input.level(*grey).round()).collect();
        let picture = plane(|row, column| {
            let (y, x) = (row - AT.0, column - AT.1);
            let is_picture = (0..SIZE.0 as i64).contains(&y) && (0..SIZE.1 as i64).contains(&x);
            if is_picture { levels[y as usize * SIZE.1 + x as usize] } else { 50.0 }
        });
        let answers = run.frame(&picture, &[]);
        let read = |place: usize| {
            let (top, left) = (place / 3 * 3, place % 3 * 3);
            let pixels = (top..top + 3).flat_map(|y| (left..left + 3).map(move |x| (y, x)));
            pixels.map(|(y, x)| levels[y * SIZE.1 + x].max(0.0)).sum::<f64>() / 9.0
        };
        let means: Vec<f64> = (0..6).map(read).collect();
        let values = network.evaluate_with(&greys, &|layer| (layer == 1).then(|| means.clone())).unwrap();
        let Value::Numbers(scores) = &values[4] else { panic!("scores are numbers") };
        for (found, wanted) in answers.numbers("scores").iter().zip(scores) {
            assert!((*found as f64 - 1000.0 * wanted).abs() < 3.0, "{found} for {wanted}");
        }
        let class = usize::from(scores[1] > scores[0]);
        assert_eq!(answers.number("class"), class as i64);
    }
}

/// A read-out of a plane stays on the array, with bits for bits, and lists of events are those of the language.
#[test]
fn planes() {
    let part = |weight: Fraction| weight.checked_div(Fraction::from(16)).unwrap();
    let small = lean().into_iter().map(|row| row.into_iter().map(part).collect()).collect();
    let sums = convolution(vec![vec![small]], vec![0.0]);
    let mut network = chain(vec![sums, threshold(60.0, false), Operation::Plane], None);
    network.layers.push(layer("levels", vec![Source::Layer(0)], Operation::Plane));
    network.layers.push(layer("events", vec![Source::Layer(1)], Operation::Events { capacity: 9 }));
    let body = "let (bits, levels, events) = net(1/2 * image, at = (10, 11)); let many = count(bits);";
    let mut run = Run::declared(SIDE, declared(&network, "bits, levels, events, many", body));
    let mut random = SplitMix64::new(3);
    let greys = greys(&mut random);
    let answers = run.frame(&seen(&network, &greys, &mut random), &[]);
    let values = network.evaluate(&greys).unwrap();
    let Value::Maps(sums) = &values[0] else { panic!("sums are maps") };
    // Outputs are in the middle of what they read.
    let at = |row: i64, column: i64| sums.at(0, (row - AT.0 - 1) as isize, (column - AT.1 - 1) as isize);
    let bits = plane(|row, column| at(row, column).is_some_and(|sum| sum > 60.0));
    answers.has_bits("bits", &bits);
    answers.has_levels("levels", &plane(|row, column| at(row, column).map(|sum| sum / 2.0 - 64.0)));
    assert_eq!(answers.number("many"), bits.count());
    let events: Vec<Vec<i64>> = bits.ones().into_iter().take(9).map(|(row, column)| vec![row, column]).collect();
    assert_eq!(answers.list("events"), events);
}

const FILE: &str = r#"
[network.digits]
input = { size = [5, 6], levels = "-60..60" }
[[network.digits.layer]]
name = "bright"
op = "threshold"
at = 20
[[network.digits.layer]]
name = "halves"
op = "windows"
size = [5, 3]
"#;

/// The messages about a program with that statement in line 2, beside a network with these layers more.
fn problems(statement: &str, layers: &str) -> String {
    let text = format!("program = '''program p(image, n: 0..=9) -> (r) {{\n{statement}\n}}'''\n{FILE}\n{layers}");
    match parse_any(&text, Overrides::default()) {
        Ok(items) => {
            assert!(items.iter().any(|item| matches!(item, Item::Vision(_))));
            String::new()
        }
        Err(problems) => problems.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n"),
    }
}

#[test]
fn mistakes() {
    let layer = |operation: &str| format!("[[network.digits.layer]]\nname = 'more'\n{operation}");
    for (statement, layers, wanted) in [
        ("let r = digits(image);", "", ""),
        ("let r = digits(image, (100, 3))[1] + n;", "", ""),
        ("let r = digit(image);", "", "2:9: unknown function `digit`; did you mean `digits`?"),
        ("let r = digits();", "", "2:9: `digits` takes 1 to 2 arguments: `image`, `at`"),
        ("let r = digits;", "", "2:9: `digits` is a network; call it, as in `digits(..)`"),
        (
            "let r = image; } fn digits(x) { x",
            "",
            "2:21: there is a network `digits` beside the programs; rename one of them",
        ),
        (
            "let r = digits(image > 3);",
            "",
            "2:22: expected a plane of levels, found a plane of bits; `if bits { 1 } else { 0 }` makes levels of them",
        ),
        ("let r = digits(image, at = (252, 0));", "", "2:28: expected a row from 0 to 251, found 252"),
        (
            "let r = digits(image, at = (n, 0));",
            "",
            "2:28: the place of a network's picture is known while the program is compiled; `shift(image, dx, dy)` moves what it \
             sees by numbers of the controller",
        ),
        (
            "let r = digits(image, at = 3);",
            "",
            "2:28: expected a row and a column, as in `(100, 100)`, found the number 3",
        ),
        (
            "let r = digits(image);",
            &*layer("op = 'softmax'"),
            "2:9: layer `more` of network `digits`, `softmax`, cannot be called in a program: the controller of a program has no \
             exponentials; leave it out: the largest of the numbers before it is the same",
        ),
        (
            "let r = digits(image);",
            &*layer(
                "op = 'digital'\nfrom = 'bright'\nkernels = [[[1, 1]]]\n[[network.digits.layer]]\nname = 'w'\nop = 'windows'\nsize = 2",
            ),
            "2:9: layer `more` of network `digits`, `digital`, cannot be called in a program: its sums are numbers of several \
             bits in each PE; a `convolution` makes the same sums as levels",
        ),
        (
            "let r = digits(image, at = (0, 9));",
            &*layer(
                "op = 'convolution'\nfrom = 'image'\nkernels = [[[1], [1], [1]]]\npadding = 1\n[[network.digits.layer]]\nname = 'w'\nop = 'windows'\nsize = 2",
            ),
            "2:9: layer `more` of network `digits`, `convolution`, cannot be called in a program: its padding is outside of the \
             array, where levels are not defined; give the picture another place, as in `at = (100, 100)`, or do without padding",
        ),
        (
            "let r = digits(image);",
            &*layer(
                "op = 'events'\nfrom = 'bright'\ncapacity = 9\n[[network.digits.layer]]\nname = 'w'\nop = 'windows'\nsize = 2",
            ),
            "2:9: layer `w` of network `digits`, `windows`, cannot be called in a program: it reads a list of pixels, which \
             belongs to the host here; read the bits themselves with `windows`",
        ),
        (
            "let r = digits(image);",
            &*layer("op = 'relu'\nfrom = 'image'\nslope = 3"),
            "2:9: `digits` has a mistake, which is told where it is declared\n\
             20:1: `network.digits.layer`: unknown key `slope`; expected `name`, `op` or `from`",
        ),
    ] {
        assert_eq!(problems(statement, layers), wanted);
    }
}

/// Levels that registers do not hold are a mistake of the network, whoever calls it.
#[test]
fn levels_that_cannot_be_shown() {
    let network = FILE.replace("-60..60", "-127..127");
    let called = format!("program = '''program p(image) -> (r) {{ let r = digits(image); }}'''\n{network}");
    for (text, line) in [(&network, 3), (&called, 4)] {
        let problems = parse_any(text, Overrides::default()).err().unwrap_or_default();
        let told: Vec<String> = problems.iter().map(ToString::to_string).collect();
        let message =
            "network `digits`: the levels -127..127 of the image cannot be shown; use numbers between -126 and 126";
        assert!(told.contains(&format!("{line}:9: {message}")), "{told:?}");
    }
}
