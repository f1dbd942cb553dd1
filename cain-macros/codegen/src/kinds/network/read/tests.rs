//! Networks in kernel files: what they declare, and the messages about mistakes.

use std::fmt::Write as _;
use std::fs;

use cain_isa::Fraction;
use cain_network::{Operation, Padding, Shape, Source, Value, Window};

use crate::kernel_file::{DeclaredNetwork, write_network};
use crate::kernel_file::{load_networks, parse, parse_automata, parse_networks};
use crate::kinds::beside::npy;

/// A network with every operation, and every key of it.
const ALL: &str = r#"
[machine]
registers = 8

[network.all]
doc = "Everything \"there\" is."
input = { size = [9, 8], levels = "-60..60.5", range = "0..1", binarise = 128, largest_sums = "1/4" }
search = { nodes = 300 }

[[network.all.layer]]
name = "edges"
op = "convolution"
scale = "1/4"
kernels = [[[1, 2, -1]], [["1/2", 0, 0.25]]]
bias = [0.5, -1]
stride = [2, 1]
dilation = 2
padding = [0, 1, 2, 3]

[[network.all.layer]]
name = "affine"
op = "affine"
scale = [0.5, -1]
shift = 3

[[network.all.layer]]
name = "relu"
op = "relu"
from = "edges"

[[network.all.layer]]
name = "leaky"
op = "leaky_relu"
from = "edges"
slope = 0.125

[[network.all.layer]]
name = "abs"
op = "abs"

[[network.all.layer]]
name = "clamp"
op = "clamp"
low = -1
high = 2.5

[[network.all.layer]]
name = "most"
op = "maximum"
from = ["affine", "relu", "clamp"]

[[network.all.layer]]
name = "least"
op = "minimum"
from = ["most", "relu"]

[[network.all.layer]]
name = "bits"
op = "threshold"
at = [0.5, 0]
inclusive = true
values = [-1, 1]

[[network.all.layer]]
name = "pooled"
op = "max_pool"
size = [2, 3]
stride = 2
padding = 1

[[network.all.layer]]
name = "mean"
op = "mean_pool"
from = "least"
size = 2
padding = [1, 0]
count_padding = true

[[network.all.layer]]
name = "both"
op = "concatenate"
from = ["bits", "most"]

[[network.all.layer]]
name = "ones"
op = "threshold"
from = "most"
at = 0.25

[[network.all.layer]]
name = "sums"
op = "digital"
kernels = [[[[1, 2, -1]], [[0, 1, 0]]]]
stride = [2, 1]
dilation = 2
padding = [0, 2]

[[network.all.layer]]
name = "places"
op = "logic"
from = ["sums", "sums"]
expressions = ["sums[1]@east & !sums[0]", "maj(sums[0], sums[1], !sums[2]@north@west) ^ sums[0]"]

[[network.all.layer]]
name = "many"
op = "logic"
from = "places"
expressions = "count(places[0], places[1]@south, places[1]) >= 2 | places[0]@west"

[[network.all.layer]]
name = "counted"
op = "plane"

[[network.all.layer]]
name = "counts"
op = "windows"
from = "bits"
windows = [[0, 0, 2, 3], [1, 1, 2, 2]]
mean = true

[[network.all.layer]]
name = "tiles"
op = "windows"
from = "both"
size = [3, 4]

[[network.all.layer]]
name = "plane"
op = "plane"
from = "mean"

[[network.all.layer]]
name = "pixels"
op = "plane"
from = "pooled"

[[network.all.layer]]
name = "joined"
op = "join"
from = ["counts", "tiles"]

[[network.all.layer]]
name = "dense"
op = "dense"
from = "counts"
weights = [[1, 0.1, -1e-9, 3], [0, "1/3", 0, 0]]
bias = [0.25, 0]
bits = 16

[[network.all.layer]]
name = "rectified"
op = "rectify"

[[network.all.layer]]
name = "softmax"
op = "softmax"

[[network.all.layer]]
name = "class"
op = "argmax"
"#;

/// The networks of a text without files beside it.
#[track_caller]
fn networks(text: &str) -> Vec<DeclaredNetwork> {
    parse_networks(text, &mut |file| panic!("{file} is read"))
        .unwrap_or_else(|problems| panic!("{text}\n{problems:#?}"))
}

/// Expects these problems, as `line:column: message`.
#[track_caller]
fn expect(text: &str, expected: &[&str]) {
    let problems = parse_networks(text, &mut |_| Err("cannot be read: no such file".to_owned())).expect_err(text);
    let problems: Vec<String> = problems.iter().map(ToString::to_string).collect();
    assert_eq!(problems, expected, "{text}");
}

/// Expects problems of a network of pictures of 4×4 pixels, of which the layers begin at line 4.
#[track_caller]
fn expect_in_layers(layers: &str, expected: &[&str]) {
    expect(&format!("[network.n]\ninput = {{ size = 4, levels = \"0..100\" }}\n\n{layers}"), expected);
}

#[test]
fn everything_is_read() {
    let declared = networks(ALL).remove(0);
    assert_eq!(declared.doc.as_deref(), Some("Everything \"there\" is."));
    let network = &declared.network;
    assert_eq!((network.machine.registers.len(), network.options.nodes), (8, 300));
    let image = network.input;
    assert_eq!((image.height, image.width, image.levels, image.range), (9, 8, (-60.0, 60.5), (0.0, 1.0)));
    assert_eq!(image.binarise, Some(128));
    assert_eq!(network.largest_sums.to_string(), "1/4");
    let layer = |name: &str| network.layers.iter().find(|layer| layer.name == name).unwrap();
    let Operation::Convolution { kernels, bias, stride, dilation, padding } = &layer("edges").operation else {
        panic!("{network:?}")
    };
    let texts = |rows: &[Vec<Fraction>]| rows.concat().iter().map(ToString::to_string).collect::<Vec<_>>();
    assert_eq!([texts(&kernels[0][0]), texts(&kernels[1][0])], [["1/4", "1/2", "-1/4"], ["1/8", "0", "1/16"]]);
    assert_eq!((bias.as_slice(), *stride, *dilation), ([0.5, -1.0].as_slice(), (2, 1), (2, 2)));
    assert_eq!(*padding, Padding { top: 0, left: 1, bottom: 2, right: 3 });
    assert_eq!(layer("leaky").operation, Operation::LeakyRelu { exponent: 3 });
    assert_eq!(layer("leaky").from, [Source::Layer(0)]);
    assert_eq!(layer("most").from, [1, 2, 5].map(Source::Layer));
    let Operation::Windows { windows, mean: false } = &layer("tiles").operation else { panic!("{network:?}") };
    assert_eq!(windows[1], Window { top: 0, left: 4, height: 3, width: 4 });
    let shapes = network.shapes().unwrap();
    assert_eq!(shapes[0], Shape::Maps { channels: 2, height: 6, width: 8, bits: false });
    assert_eq!(shapes.last(), Some(&Shape::Numbers(1)));
}

#[test]
fn what_is_written_is_read_again() {
    let declared = networks(ALL).remove(0);
    let written = write_network(&declared.network, declared.doc.as_deref(), "all");
    assert_eq!(written.files, []);
    let again = format!("machine.registers = 8\n{}", written.toml);
    let again = networks(&again);
    assert_eq!(again[0].network, declared.network);
    assert_eq!(again[0].doc, declared.doc);
}

#[test]
fn large_matrices_are_files() {
    let text = |weights: &str| {
        format!(
            "[network.n]\ninput = {{ size = [70, 60], levels = \"0..1\" }}\n[[network.n.layer]]\nname = \"p\"\nop = \"plane\"\n\
             [[network.n.layer]]\nname = \"d\"\nop = \"dense\"\nweights = {weights}\nbias = \"b.npy\"\n"
        )
    };
    let rows = vec![(0..4200).map(|i| f64::from(i) / 7.0).collect::<Vec<_>>()];
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("n.toml");
    fs::write(&path, text("\"n.d.npy\"")).unwrap();
    fs::write(folder.path().join("n.d.npy"), npy::write(&rows)).unwrap();
    fs::write(folder.path().join("b.npy"), npy::write(&[vec![7.0]])).unwrap();
    let problems = load_networks(&path).unwrap_err().to_string();
    let expected = "n.toml:10:8: `network.n.layer.bias`: b.npy: the array has the shape [1, 1]; expected a list";
    assert!(problems.ends_with(expected), "{problems}");
    let mut list = npy::write(&[vec![7.0]]);
    let header = list.windows(6).position(|window| window == b"(1, 1)").unwrap();
    list[header..header + 6].copy_from_slice(b"(1,)  ");
    fs::write(folder.path().join("b.npy"), list).unwrap();
    let declared = load_networks(&path).unwrap().remove(0);
    assert_eq!(declared.files, ["n.d.npy", "b.npy"]);
    let written = write_network(&declared.network, None, "n");
    assert_eq!(written.files, [("n.d.npy".to_owned(), npy::write(&rows))]);
    assert!(written.toml.contains("weights = \"n.d.npy\""));
    let values = declared.network.evaluate(&[255; 4200]).unwrap();
    assert_eq!(values[1], Value::Numbers(vec![rows[0].iter().sum::<f64>() + 7.0]));

    for (weights, problem) in [
        ("\"none.npy\"", "none.npy: cannot be read: No such file"),
        ("\"n.toml\"", "n.toml: not a file of NumPy"),
        ("\".\"", ".: cannot be read: it is not a file but a folder"),
        ("\"b.npy\"", "b.npy: the array has the shape [1]; expected a matrix"),
    ] {
        fs::write(&path, text(weights)).unwrap();
        let problems = load_networks(&path).unwrap_err().to_string();
        assert!(problems.contains(":9:11: `network.n.layer.weights`: ") && problems.contains(problem), "{problems}");
    }
}

#[test]
fn pictures_are_in_a_file() {
    let text = "[network.n]\ninput = { size = [2, 3], levels = \"0..1\", pictures = \"n.pictures.npy\" }\n\
                [[network.n.layer]]\nname = \"p\"\nop = \"plane\"\n";
    let read = |bytes: &[u8]| {
        let mut beside = |_: &str| Ok(bytes.to_vec());
        parse_networks(text, &mut beside).map_err(|problems| problems[0].message.clone())
    };
    let pictures = vec![vec![0, 1, 2, 3, 254, 255], vec![7; 6]];
    let bytes = npy::write_pictures(&pictures, (2, 3));
    let declared = read(&bytes).unwrap().remove(0);
    assert_eq!((&declared.network.pictures, &declared.files[..]), (&pictures, &["n.pictures.npy".to_owned()][..]));
    let written = write_network(&declared.network, None, "n");
    assert_eq!(
        (written.toml.lines().nth(1), written.files),
        (text.lines().nth(1), vec![("n.pictures.npy".into(), bytes)])
    );
    // As frameworks have them, with one channel.
    let channel = npy::write_pictures(&[vec![9; 6]], (1, 6));
    let with_shape = |bytes: &[u8], from: &[u8], to: &[u8]| {
        let at = bytes.windows(from.len()).position(|window| window == from).unwrap();
        [&bytes[..at], to, &bytes[at + from.len()..]].concat()
    };
    let channel = with_shape(&channel, b"(1, 1, 6), }", b"(1,1,2,3), }");
    assert_eq!(read(&channel).unwrap()[0].network.pictures, [vec![9; 6]]);

    let refused = |bytes: &[u8], expected: &str| {
        assert_eq!(read(bytes).unwrap_err(), format!("`network.n.input.pictures`: {expected}"));
    };
    let shapes = "expected pictures, such as [20, 2, 3]";
    refused(
        &npy::write_pictures(&[vec![0; 6]], (3, 2)),
        &format!("n.pictures.npy: the array has the shape [1, 3, 2]; {shapes}"),
    );
    refused(&npy::write_pictures(&[], (2, 3)), &format!("n.pictures.npy: the array has the shape [0, 2, 3]; {shapes}"));
    refused(&npy::write(&[vec![0.0; 6]]), &format!("n.pictures.npy: the array has the shape [1, 6]; {shapes}"));
    let grey = "n.pictures.npy: the pictures have other greys than whole numbers from 0 for black to 255 for white";
    for wrong in [0.5, -1.0, 256.0] {
        refused(&with_shape(&npy::write(&[vec![wrong; 6]]), b"(1, 6), }", b"(1,2,3),}"), grey);
    }
}

#[test]
fn a_network_as_a_whole() {
    let example = "`[network.NAME]` with `input = { size = [28, 28], levels = \"-60..60\" }`";
    expect("", &[&format!("1:1: the file has no network; add {example}")]);
    expect("network = 3", &[&format!("1:11: `network`: expected tables of networks, {example}, found `3`")]);
    expect(
        "[network.n]\nlayers = 1",
        &[
            "1:10: network `n` has no input; add `input = { size = [28, 28], levels = \"-60..60\" }`",
            "1:10: network `n` has no layers; add `[[network.n.layer]]`",
            "2:1: `network.n`: unknown key `layers`; did you mean `layer`?",
        ],
    );
    let with = |input: &str, expected: &[&str]| {
        expect(&format!("[network.n]\ninput = {input}\n[[network.n.layer]]\nname = \"a\"\nop = \"abs\"\n"), expected);
    };
    // Windows are not said to be too large for a picture that could not be read.
    expect(
        "[network.n]\ninput = { size = 9, levels = \"3\" }\n[[network.n.layer]]\nname = \"a\"\nop = \"windows\"\nsize = 4\n",
        &[
            "2:30: `network.n.input.levels`: expected the values of black and white, such as `\"-60..60\"`, found the text \"3\"",
        ],
    );
    with("{ size = 4 }", &["2:9: `network.n.input`: `levels` is missing; add `levels = \"-60..60\"`"]);
    with(
        "{ size = [1, 2, 3], levels = \"0..inf\", binarise = 256 }",
        &[
            "2:18: `network.n.input.size`: expected rows and columns such as `[3, 3]`, or one number for both, found an array",
            "2:38: `network.n.input.levels`: expected the values of black and white, such as `\"-60..60\"`, found the text \
             \"0..inf\"",
            "2:59: `network.n.input.binarise`: expected a whole number of at most 255, found `256`",
        ],
    );
    with(
        "{ size = 4, levels = \"-60...5\" }",
        &[
            "2:30: `network.n.input.levels`: expected the values of black and white, such as `\"-60..60\"`, found the text \
           \"-60...5\"",
        ],
    );
    with(
        "{ size = [4, 300], levels = \"3..3\" }",
        &["2:9: network `n`: the image has 4×300 pixels; from 1×1 to 256×256 are possible"],
    );
    for (share, found) in [("2", "2"), ("0", "0"), ("\"1/65\"", "1/65")] {
        with(
            &format!("{{ size = 4, levels = \"0..9\", largest_sums = {share} }}"),
            &[&format!("2:9: network `n`: `largest_sums` is {found}; expected a share from 1/64 to 1, such as 1/4")],
        );
    }
    // Filters and networks are read by different functions.
    let network =
        "[network.n]\ninput = { size = 4, levels = \"0..1\" }\n[[network.n.layer]]\nname = \"a\"\nop = \"plane\"\n";
    assert_eq!(networks(&format!("{network}[f]\ninputs = [\"A\"]\noutputs.A.kernel = [[1]]")).len(), 1);
    assert_eq!(parse(&format!("{network}[f]\ninputs = [\"A\"]\noutputs.A.kernel = [[1]]")).unwrap().len(), 1);
    assert!(parse(network).unwrap_err()[0].message.starts_with("the file has only networks and no filter"));
}

#[test]
fn mistakes_in_layers() {
    let layer = "[[network.n.layer]]\nname = \"a\"\n";
    for (keys, expected) in [
        ("", "4:1: `network.n.layer`: `op` is missing; expected `convolution`, "),
        ("op = \"convolve\"", "6:6: unknown operation `convolve`; expected `convolution`, "),
        ("op = \"max_poll\"\nsize = 2", "6:6: unknown operation `max_poll`; did you mean `max_pool`?"),
        ("op = \"relu\"\nslope = 1", "7:1: `network.n.layer`: unknown key `slope`; expected `name`, `op` or `from`"),
        ("op = \"relu\"\nfrom = \"imag\"", "7:8: unknown layer `imag`; did you mean `image`?"),
        ("op = \"relu\"\nfrom = \"a\"", "7:8: layer `a` does not come before this one; change the order"),
        ("op = \"relu\"\nfrom = [\"image\", \"image\"]", "7:8: layer `a`: reads 2 layers; expected one"),
        ("op = \"dense\"\nweights = [[1]]", "4:1: layer `a`: reads 1 map of 4×4 pixels; expected numbers, "),
        ("op = \"threshold\"", "4:1: `network.n.layer`: `at` is missing; add `at = 0`"),
        ("op = \"threshold\"\nat = [1, nan]", "7:10: `network.n.layer.at`: expected a finite number, found `nan`"),
        ("op = \"threshold\"\nat = [1, 2]", "7:6: layer `a`: 2 thresholds; expected 1"),
        (
            "op = \"convolution\"\nkernels = [[1, 2]]",
            "7:13: `network.n.layer.kernels`: expected for each output a kernel such as `[[1, 2, 1]]`, or an array of kernels, \
             one for each input channel, found `1`",
        ),
        (
            "op = \"convolution\"\nkernels = [[[1, 2], [3]]]",
            "7:11: layer `a`: kernels must have equally many rows, all of them equally long",
        ),
        (
            "op = \"convolution\"\nkernels = [[[[1]], [[2]]]]",
            "7:11: layer `a`: 2 input channels of a kernel; expected 1",
        ),
        (
            "op = \"convolution\"\nkernels = [[[1, 1, 1, 1, 1]]]",
            "7:11: layer `a`: covers 1×5 pixels, but reads 1 map of 4×4",
        ),
        ("op = \"convolution\"\nkernels = [[[1]]]\nbias = [1, 2]", "8:8: layer `a`: 2 numbers of the bias; expected 1"),
        (
            "op = \"convolution\"\nkernels = [[[1]]]\nstride = 0",
            "8:10: layer `a`: the stride is 0; expected at least 1",
        ),
        (
            "op = \"convolution\"\nkernels = [[[0.50000000000000000000001]]]",
            "7:14: the number has more digits than 64 bits hold; write fewer",
        ),
        (
            "op = \"leaky_relu\"\nslope = 0.3",
            "7:9: `network.n.layer.slope`: the slope 3/10 is not possible; expected 1/2^k",
        ),
        (
            "op = \"windows\"",
            "4:1: `network.n.layer`: expected either `windows = [[top, left, height, width], ..]` or ",
        ),
        ("op = \"windows\"\nsize = 5", "7:8: no window of 5×5 pixels fits maps of 4×4"),
        (
            "op = \"windows\"\nwindows = [[0, 0, 5, 1]]",
            "7:11: layer `a`: the window of 5×1 pixels at row 0 and column 0",
        ),
        ("op = \"max_pool\"\nsize = 2\npadding = [2, 0]", "8:11: layer `a`: a window lies in the padding entirely"),
        ("op = \"clamp\"\nlow = 2\nhigh = 1", "7:7: layer `a`: clamps to 2..1, which is empty; expected 1..2"),
        (
            "op = \"relu\"\nfrom = 3",
            "7:8: `network.n.layer.from`: expected the name of an earlier layer, or an array of names, found `3`",
        ),
    ] {
        let text = format!("[network.n]\ninput = {{ size = 4, levels = \"0..100\" }}\n\n{layer}{keys}\n");
        let problems = parse_networks(&text, &mut |_| Err(String::new())).expect_err(&text);
        assert_eq!(problems.len(), 1, "{text}\n{problems:?}");
        let problem = problems[0].to_string();
        assert!(problem.starts_with(expected), "{text}\n{problem}\n{expected}");
    }
}

/// Results are numbers. A layer that could not be read may be the one that reads maps.
#[test]
fn maps_that_no_layer_reads() {
    let maps = "[[network.n.layer]]
name = \"a\"
op = \"threshold\"
at = 3
[[network.n.layer]]
name = \"b\"
op = \"abs\"
from = \"image\"
";
    expect_in_layers(
        maps,
        &[
            "5:8: layer `a`: makes 1 map of 4×4 pixels, which no other layer reads; add a layer that reads them out, \
             `windows`, `plane` or `events`, or remove this one",
            "9:8: layer `b`: makes 1 map of 4×4 pixels, which no other layer reads; add a layer that reads them out, \
             `windows` or `plane`, or remove this one",
        ],
    );
    let unreadable = format!("{maps}[[network.n.layer]]\nname = \"p\"\nop = \"plan\"\nfrom = \"a\"\n");
    expect_in_layers(&unreadable, &["14:6: unknown operation `plan`; did you mean `plane`?"]);
}

/// One mistake does not hide the next, and what only follows from one is not reported.
#[test]
fn all_at_once() {
    expect_in_layers(
        "[[network.n.layer]]
name = \"a\"
op = \"convolution\"
kernels = [[[1, \"x\"]], [[inf]]]
[[network.n.layer]]
name = \"b b\"
op = \"max_pool\"
[[network.n.layer]]
name = \"counts\"
op = \"windows\"
size = 2
[[network.n.layer]]
name = \"out\"
op = \"dense\"
weights = \"w.npy\"
[[network.n.layer]]
op = \"argmax\"
[[network.n.layer]]
name = \"image\"
op = \"relu\"
from = \"image\"
",
        &[
            "7:17: `network.n.layer.kernels`: expected a number such as `3`, `\"-1/16\"` or `0.125`, found the text \"x\"",
            "7:26: `network.n.layer.kernels`: expected a number such as `3`, `\"-1/16\"` or `0.125`, found `inf`",
            "8:1: `network.n.layer`: `size` is missing; add `size = [2, 2]`",
            "9:8: the layer name \"b b\" must consist of letters, digits, `_` and `-`",
            "18:11: `network.n.layer.weights`: w.npy: cannot be read: no such file",
            "19:1: `network.n.layer`: the layer has no name; add `name = \"NAME\"`",
            "22:8: `image` is the name of the network's picture; choose another one",
        ],
    );
}

/// Files of a size that is still read end with an answer.
#[test]
fn many_layers() {
    let mut text = String::from("[network.n]\ninput = { size = 4, levels = \"0..1\" }\n");
    for layer in 0..5000 {
        let _ = writeln!(text, "[[network.n.layer]]\nname = \"l{layer}\"\nop = \"abs\"");
    }
    expect(&text, &["3:1: `network.n.layer`: 5000 layers; a network has at most 4096"]);
}

/// An automaton with weights in the file and in a file beside it.
const AUTOMATON: &str = r#"
[machine]
registers = 8

[automaton.bright]
doc = "How bright it is."
size = [4, 5]
alive = 26
classes = 1
denominator = 8
bits = { state = 12 }
layers = ["first.npy", [[[[3]], [[-1]]]]]
search = { nodes = 300 }
"#;

/// What `numpy.save` writes of two kernels of 1×1 for two inputs.
fn first_layer(weights: [u8; 4]) -> Vec<u8> {
    let header = "{'descr': '|i1', 'fortran_order': False, 'shape': (2, 2, 1, 1), }\n";
    let length = u16::try_from(header.len()).unwrap().to_le_bytes();
    [&b"\x93NUMPY\x01\x00"[..], &length, header.as_bytes(), &weights].concat()
}

#[test]
fn automata() {
    let automata = parse_automata(AUTOMATON, &mut |_| Ok(first_layer([1, 2, 3, 0xff]))).unwrap();
    let [declared] = &automata[..] else { panic!("{automata:?}") };
    let automaton = &declared.automaton;
    assert_eq!((declared.name(), declared.doc.as_deref()), ("bright", Some("How bright it is.")));
    assert_eq!((automaton.size, automaton.alive, automaton.classes, automaton.scale), ((4, 5), 26, 1, 3));
    assert_eq!((automaton.bits.state, automaton.bits.activation, automaton.options.nodes), (12, 9, 300));
    assert_eq!(automaton.layers[0].kernels[1], [[[3]], [[-1]]]);
    assert_eq!(automaton.layers[1].kernels, [[[[3]], [[-1]]]]);
    assert_eq!(declared.diagnostic(crate::kinds::Part::Layer(1), "no").to_string(), "12:24: automaton `bright`: no");
    // Neither a filter nor a network.
    assert!(parse_networks(AUTOMATON, &mut |_| Err(String::new())).is_err());
    assert!(parse(AUTOMATON).unwrap_err()[0].to_string().contains("only automata and no filter"));
    assert!(parse_automata(ALL, &mut |_| Err(String::new())).unwrap().is_empty());
}

#[test]
fn mistakes_in_automata() {
    let cases = [
        (
            "denominator = 8",
            "denominator = 12",
            "10:15: `automaton.bright.denominator`: expected a power of two of at most 65536, found `12`",
        ),
        ("denominator = 8\n", "", "5:12: automaton `bright` has no `denominator`; add `denominator = 64`"),
        ("classes = 1", "classes = 2", "9:11: 2 classes do not fit the 1 outputs of the last layer"),
        (
            "[[-1]]",
            "[[0.5]]",
            "12:35: `automaton.bright.layers`: the weight 0.5 does not fit; expected whole numbers of at most 32767",
        ),
        ("[[-1]]", "[-1]", "12:34: `automaton.bright.layers`: expected the name of a file, or an array of kernels"),
        (
            ", [[-1]]",
            "",
            "12:24: layer 2: output 0 has weights for 1 inputs; expected 2, the outputs of the layer before",
        ),
        (
            "registers = 8",
            "registers = 4",
            "5:12: the machine has 4 registers; the state, the results of two layers and a sum need 6",
        ),
        ("state = 12", "states = 12", "11:10: `automaton.bright.bits`: unknown key `states`"),
        (
            "state = 12",
            "register = 12",
            "12:11: layer 1: its sums need registers of 16 bits, these have 12; expected `register = 16`",
        ),
        ("alive = 26", "alive = 300", "8:9: `automaton.bright.alive`: expected a whole number of at most 255"),
    ];
    for (right, wrong, expected) in cases {
        let text = AUTOMATON.replace(right, wrong);
        let problems = parse_automata(&text, &mut |_| Ok(first_layer([100, 2, 3, 0xff]))).unwrap_err();
        let found = problems[0].to_string();
        assert!(found.starts_with(expected), "{found}");
    }
    let missing = parse_automata(AUTOMATON, &mut |_| Err("no such file".to_owned())).unwrap_err();
    assert_eq!(missing[0].to_string(), "12:11: `automaton.bright.layers`: first.npy: no such file");
}
