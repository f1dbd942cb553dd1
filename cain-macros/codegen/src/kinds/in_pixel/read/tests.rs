//! Networks in the pixels in kernel files: what they declare, and the messages about mistakes.

use cain_in_pixel::{Pixels, Scores};

use crate::kernel_file::{DeclaredInPixel, write_in_pixel};
use crate::kernel_file::{parse, parse_in_pixel};

/// Four blocks with windows of 4×4 PEs: four maxima of each.
const NETWORK: &str = r#"[in_pixel.corners]
doc = "Corners."
input = { size = 6, block = 8, array = 16, binarise = 100 }
[[in_pixel.corners.layer]]
name = "filters"
op = "convolution"
size = 2
weights = ["++-+", "-+++", [1, -1, -1, 1], "--++"]
[[in_pixel.corners.layer]]
name = "maxima"
op = "max_pool"
size = 4
[[in_pixel.corners.layer]]
name = "scores"
op = "dense"
classes = 2
weights = "dense.txt"
"#;

const DENSE: &str = "+-\n0+\n-0\n++\n0-\n+0\n-+\n0+\n--\n+0\n00\n+-\n0+\n-+\n+0\n-0\n";

fn read(text: &str, dense: &str) -> Result<DeclaredInPixel, Vec<String>> {
    let mut beside = |name: &str| match name {
        "dense.txt" => Ok(dense.as_bytes().to_vec()),
        "two.npy" => Ok(npy(&[4, 2, 2], &[1, -1, 1, 1, 1, 1, -1, -1, -1, 1, -1, 1, 1, 1, 1, 1])),
        "three.npy" => Ok(npy(&[4, 4], &[1, -1, 1, 1, 1, 3, -1, -1, -1, 1, -1, 1, 1, 1, 1, 1])),
        _ => Err("cannot be read".to_owned()),
    };
    let read = parse_in_pixel(text, &mut beside);
    read.map(|mut networks| networks.remove(0)).map_err(|problems| problems.iter().map(ToString::to_string).collect())
}

/// The file of an array of small numbers.
fn npy(shape: &[usize], values: &[i8]) -> Vec<u8> {
    let sizes: Vec<String> = shape.iter().map(ToString::to_string).collect();
    let header = format!("{{'descr': '|i1', 'fortran_order': False, 'shape': ({}), }}\n", sizes.join(", "));
    let mut bytes = b"\x93NUMPY\x01\x00".to_vec();
    bytes.extend(u16::try_from(header.len()).unwrap().to_le_bytes());
    bytes.extend(header.bytes());
    bytes.extend(values.iter().map(|value| value.cast_unsigned()));
    bytes
}

#[test]
fn weights_are_letters_numbers_and_files() {
    let declared = read(NETWORK, DENSE).unwrap();
    assert_eq!(
        (declared.name.as_str(), &declared.binarise[..], declared.doc.as_deref()),
        ("corners", &[100][..], Some("Corners."))
    );
    assert_eq!(declared.files, ["dense.txt"]);
    let network = &declared.network;
    assert_eq!((network.side, network.block, network.picture, network.scale, network.taps), (16, 8, 6, 1, 2));
    assert_eq!(network.filters, [[1, 1, -1, 1], [-1, 1, 1, 1], [1, -1, -1, 1], [-1, -1, 1, 1]]);
    assert_eq!((network.dense.len(), &network.dense[1]), (16, &vec![0, 1]));

    let filters = "weights = [\"++-+\", \"-+++\", [1, -1, -1, 1], \"--++\"]";
    let array = read(&NETWORK.replace(filters, "weights = \"two.npy\""), DENSE).unwrap();
    assert_eq!(array.network.filters[0], [1, -1, 1, 1]);
    // One file after the other layer's weights, with the line ends of another system.
    let both = format!("++-+\n-+++\n+--+\n--++\n{DENSE}").replace('\n', "\r\n");
    let shared = read(&NETWORK.replace(filters, "weights = \"dense.txt\""), &both).unwrap();
    assert_eq!(shared.network, *network);
}

#[test]
fn what_is_written_is_read_back() {
    let declared = read(NETWORK, DENSE).unwrap();
    let inline = write_in_pixel("corners", &declared.network, &[100], None);
    assert!(inline.files.is_empty());
    assert_eq!(read(&inline.toml, "").unwrap().network, declared.network);
    let beside = write_in_pixel("corners", &declared.network, &[100], Some("dense"));
    let [(name, text)] = beside.files.as_slice() else { panic!("{:?}", beside.files) };
    assert_eq!(name, "dense.txt");
    let again = read(&beside.toml, std::str::from_utf8(text).unwrap()).unwrap();
    assert_eq!((again.of.network, again.of.binarise), (declared.of.network, vec![100]));

    let grey = read(&NETWORK.replace("binarise = 100", "bits = 2"), DENSE).unwrap();
    assert_eq!(grey.network.pixels, Pixels::TwoBits);
    assert_eq!([0, 43, 128, 255].map(|value| grey.pixel(value)), [0, 1, 2, 3]);
    let inline = write_in_pixel("corners", &grey.network, &[], None);
    assert_eq!(read(&inline.toml, "").unwrap().network, grey.network);

    let halves = read(&NETWORK.replace("binarise = 100", "binarise = [60, 200]"), DENSE).unwrap();
    assert_eq!(halves.network.pixels, Pixels::Halves);
    assert_eq!([59, 60, 199, 200].map(|value| halves.pixel(value)), [0, 1, 1, 2]);
    let inline = write_in_pixel("corners", &halves.network, &halves.binarise, None);
    let again = read(&inline.toml, "").unwrap();
    assert_eq!((again.of.network, again.of.binarise), (halves.of.network, halves.of.binarise));
}

/// The only mistake of the network with a part replaced.
#[track_caller]
fn mistake(right: &str, wrong: &str) -> String {
    assert!(NETWORK.contains(right), "{right}");
    let found = read(&NETWORK.replace(right, wrong), DENSE).unwrap_err();
    let [only] = found.as_slice() else { panic!("{found:?}") };
    only.clone()
}

#[test]
fn mistakes_are_where_they_were_made() {
    for (right, wrong, message) in [
        (
            "[1, -1, -1, 1]",
            "[1, -1, 2, 1]",
            "8:36: `in_pixel.corners.layer.weights`: the weight of filter 2 in row 1, column 0 is 2",
        ),
        ("[1, -1, -1, 1]", "[1, 0.5, 1, 1]", "8:32: `in_pixel.corners.layer.weights`: found 0.5; expected -1, 0 or 1"),
        ("\"-+++\"", "\"-+*+\"", "8:23: `in_pixel.corners.layer.weights`: found '*'; expected `-`, `0` or `+`"),
        ("\"-+++\"", "\"-+\"", "8:20: `in_pixel.corners.layer.weights`: filter 1 has 2 weights; expected 4"),
        (", \"--++\"]", "]", "8:11: `in_pixel.corners.layer.weights`: 3 filters for 4 blocks"),
        (
            "block = 8",
            "block = 6",
            "3:29: blocks of 6×6 PEs; expected a power of two from 8 to 16, the side of the array",
        ),
        (
            "block = 8",
            "block = 4",
            "3:29: blocks of 4×4 PEs; expected a power of two from 8 to 16, the side of the array",
        ),
        (
            "block = 8",
            "block = 0",
            "3:29: blocks of 0×0 PEs; expected a power of two from 8 to 16, the side of the array",
        ),
        (
            "size = 6",
            "size = 6, scale = 0",
            "3:29: `in_pixel.corners.input.scale`: pixels of 0×0 PEs; expected at least 1",
        ),
        ("array = 16", "array = 12", "3:40: an array of 12×12 PEs; expected a power of two from 8 to 256"),
        ("array = 16", "array = 9999999999", "3:40: an array of 9999999999×9999999999 PEs; expected a power of two"),
        ("size = 6", "size = 9", "3:18: a picture of 9×9 PEs with a margin of 1 does not fit a block of 8×8"),
        ("binarise = 100", "bits = 3", "3:51: pixels of 3 bits; expected 1 or 2"),
        ("binarise = 100", "bits = 0", "3:51: pixels of 0 bits; expected 1 or 2"),
        (
            "binarise = 100",
            "binarise = [200, 60]",
            "3:55: `in_pixel.corners.input.binarise`: expected the least grey of ink such as `128`, or two that increase, for \
             the western and the eastern half of the array, such as `[64, 192]`, found an array",
        ),
        (
            "block = 8, array = 16, binarise = 100",
            "block = 16, array = 16, binarise = [60, 200]",
            "3:56: halves of the array that see different bits of a pixel; expected two blocks or more along each side",
        ),
        (
            "binarise = 100",
            "bits = 2, binarise = 100",
            "3:65: `in_pixel.corners.input.binarise`: only pixels of one bit are ink or not; leave it out",
        ),
        ("size = 2", "size = 200", "7:8: filters of 200×200 weights; expected 2×2 to 5×5"),
        ("max_pool\"\nsize = 4", "max_pool\"\nsize = 3", "12:8: pooling windows of 3×3 PEs; expected 2×2 or 4×4"),
        ("classes = 2", "classes = 17", "16:11: 17 classes; expected 1 to 16"),
        (
            "classes = 2",
            "classes = 3",
            "17:11: `in_pixel.corners.layer.weights`: dense.txt:1:1: the dense layer has 2 weights for each maximum; expected 3",
        ),
        (
            "op = \"max_pool\"",
            "op = \"dense\"",
            "11:6: found `dense` where `max_pool` is expected; in the pixels a network has",
        ),
        (
            "[[in_pixel.corners.layer]]\nname = \"maxima\"\nop = \"max_pool\"\nsize = 4\n",
            "",
            "11:6: found `dense` where `max_pool` is expected; in the pixels a network has",
        ),
        ("op = \"max_pool\"", "op = \"maxpool\"", "11:6: unknown operation `maxpool`; did you mean `max_pool`?"),
        (
            "op = \"max_pool\"\nsize",
            "op = \"max_pool\"\nstride",
            "12:1: `in_pixel.corners.layer`: unknown key `stride`",
        ),
        ("block = 8, ", "", "3:9: `in_pixel.corners.input`: `block` is missing; add `block = 32`"),
        ("\"dense.txt\"", "\"none.txt\"", "17:11: `in_pixel.corners.layer.weights`: none.txt: cannot be read"),
        ("\"dense.txt\"", "3", "17:11: `in_pixel.corners.layer.weights`: expected rows of letters"),
    ] {
        let found = if wrong.contains("stride") {
            // The size is missing as well.
            read(&NETWORK.replace(right, wrong), DENSE).unwrap_err().remove(1)
        } else {
            mistake(right, wrong)
        };
        assert!(found.starts_with(message), "{found}\n{message}");
    }
}

#[test]
fn mistakes_in_files_are_in_their_lines() {
    for (text, message) in [
        (DENSE.replacen("0-", "0x", 1), "dense.txt:5:2: found 'x'; expected `-`, `0` or `+`"),
        (DENSE.replacen("0-", "0", 1), "dense.txt:5:1: row 4 of the dense layer has 1 weights; expected 2"),
        (DENSE.replacen("0-\n", "", 1), "dense.txt: the dense layer has 15 rows; expected 16"),
        (format!("{DENSE}00\n"), "dense.txt:17:1: expected the end of the file, found more rows"),
        (String::new(), "dense.txt: the dense layer has 0 rows; expected 16"),
    ] {
        let found = read(NETWORK, &text).unwrap_err();
        let expected = format!("17:11: `in_pixel.corners.layer.weights`: {message}");
        assert!(found.len() == 1 && found[0].starts_with(&expected), "{found:?}\n{expected}");
    }
    let weights = "weights = [\"++-+\", \"-+++\", [1, -1, -1, 1], \"--++\"]";
    let found = mistake(weights, "weights = \"three.npy\"");
    let expected = "three.npy: the weight of filter 1 in row 0, column 1 is 3; expected -1, 0 or 1";
    assert!(found.contains(expected), "{found}");
}

/// Before anything is compiled.
#[test]
fn machines_that_are_too_small_are_told() {
    let machine = |machine: &str| read(&format!("{NETWORK}[machine]\n{machine}\n"), DENSE).unwrap_err().concat();
    let found = machine("registers = [\"A\", \"B\", \"C\", \"D\"]");
    assert!(found.contains("1:11: network `corners`: the machine has no register E"), "{found}");
    let found = machine("bits = 8");
    assert!(found.contains("1:11: network `corners`: the machine has 8 digital registers"), "{found}");
}

#[test]
fn commands_for_filters_say_that_there_are_none() {
    let found = parse(NETWORK).unwrap_err();
    assert!(found[0].message.starts_with("the file has only networks and no filter"), "{found:?}");
}

/// Groups of 2×2 PEs in places of 4×4, of which there are 4×4: four maps before and after.
const SECOND: &str = r#"[in_pixel.corners]
input = { size = 5, scale = 2, bits = 2, array = 16 }
[[in_pixel.corners.layer]]
name = "filters"
op = "convolution"
size = 2
filters = 4
thresholds = [1, 3]
weights = ["++-+", "-+++", "+--+", "--++"]
[[in_pixel.corners.layer]]
name = "maxima"
op = "max_pool"
size = 2
[[in_pixel.corners.layer]]
name = "maps"
op = "convolution"
size = 2
thresholds = [2, 4]
weights = "maps.txt"
[[in_pixel.corners.layer]]
name = "scores"
op = "dense"
classes = 2
sum = "exact"
weights = "maps.txt"
"#;

fn read_second(text: &str) -> Result<DeclaredInPixel, Vec<String>> {
    let weights = "+--+\n".repeat(16) + &"+-\n".repeat(64);
    let read = parse_in_pixel(text, &mut |_| Ok(weights.clone().into_bytes()));
    read.map(|mut networks| networks.remove(0)).map_err(|problems| problems.iter().map(ToString::to_string).collect())
}

#[test]
fn networks_have_a_second_convolution() {
    let network = read_second(SECOND).unwrap().of.network;
    let second = network.second.as_ref().unwrap();
    assert_eq!((network.block, network.filters.len(), second.filters.len(), network.dense.len()), (16, 4, 16, 64));
    assert_eq!((second.taps, &second.thresholds), (2, &[vec![1, 3], vec![2, 4]]));
    assert_eq!(second.scores, Scores::Exact);
    for stem in [None, Some("maps")] {
        let written = write_in_pixel("corners", &network, &[], stem);
        let mut beside = |_: &str| Ok(written.files[0].1.clone());
        let again = parse_in_pixel(&written.toml, &mut beside).unwrap().remove(0);
        assert_eq!(again.network, network, "{}", written.toml);
    }
}

#[test]
fn mistakes_about_a_second_convolution_are_told_at_their_place() {
    let wrong = |from: &str, to: &str| read_second(&SECOND.replacen(from, to, 1)).unwrap_err();
    let told = [
        wrong("filters = 4\n", ""),
        wrong("filters = 4\n", "filters = 900\n"),
        wrong("thresholds = [2, 4]\n", ""),
        wrong("[2, 4]", "[4, 2]"),
        wrong("[2, 4]", "[2, 300]"),
        wrong("array = 16", "array = 16, block = 8"),
        wrong("scale = 2", "scale = 3"),
        wrong("size = 2\nthresholds", "size = 5\nthresholds"),
        wrong("\"+--+\"", "\"+0-+\""),
        wrong("classes = 2", "classes = 5"),
        wrong("\"exact\"", "\"digital\""),
    ];
    let wanted = [
        "3:1: `convolution` has no `filters`; add `filters = 16`",
        "7:11: 900 filters before a second convolution; expected 4 or 16, one for each PE of a group",
        "14:1: `convolution` has no `thresholds`; add `thresholds = [4, 10, 16]`",
        "18:14: thresholds [4, 2]; expected one to three numbers that increase, from 1 on",
        "18:18: `in_pixel.corners.layer.thresholds`: expected a whole number of at most 255, found `300`",
        "2:62: `in_pixel.corners.input.block`: with a second convolution the array is one block; leave it out",
        "2:29: pixels of 3×3 PEs; expected a power of two of at least 2 along each side, because each PE of a pixel has a filter \
         before a second convolution, and at most 4, which fit into a block",
        "17:8: filters of 5×5 weights; with a second convolution expected 2×2 to 4×4",
        "9:30: `in_pixel.corners.layer.weights`: the weight of filter 2 in row 0, column 1 is 0; expected -1 or 1, because \
         a pixel stores it as one bit if there is a second convolution",
        "23:11: 5 classes; expected 1 to 4, one for each PE of a pooling window or of a group",
        "24:7: unknown sum `digital`; expected `analogue` or `exact`",
    ];
    assert_eq!(told.concat(), wanted);
}
