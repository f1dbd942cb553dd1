//! Tests of `cain import` with trained networks, compared with the results of onnxruntime.

use std::env;
use std::fs;
use std::path::Path;
use std::process::Command;

use cain_cli::texts;
use cain_codegen::kernel_file::{load_networks, parse_networks};
use cain_network::{Operation, Shape, Value, Window};
use proptest::prelude::*;
use serde::Deserialize;

/// The models in the repository, made by a script in the same folder.
const MODELS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/onnx");

/// The expected results for a model.
#[derive(Deserialize)]
struct Expected {
    /// Options of the command.
    options: Vec<String>,
    pictures: Vec<Vec<u8>>,
    /// The numbers of all outputs, for each picture.
    outputs: Vec<Vec<Vec<f64>>>,
}

/// Searches end as soon as they may: what a network computes does not depend on the words that are found for it.
const SHORT: &str = "--nodes=1";

/// Imports a model and compares the network with the expected results; returns the differences.
fn compare(model: &Path) -> Result<(), String> {
    let expected: Expected = serde_json::from_slice(&fs::read(model.with_extension("json")).unwrap()).unwrap();
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("network.toml");
    let mut cain = Command::new(env!("CARGO_BIN_EXE_cain"));
    cain.args(["import", SHORT]).arg(model).args(&expected.options).args(range(&expected.options)).arg("-o").arg(&file);
    let output = cain.output().unwrap();
    if !output.status.success() {
        return Err(String::from_utf8_lossy(&output.stderr).into_owned());
    }
    let network = load_networks(&file).map_err(|error| error.to_string())?.remove(0).of.network;
    let heads = network.heads();
    for (picture, outputs) in expected.pictures.iter().zip(&expected.outputs) {
        if heads.len() != outputs.len() {
            return Err(format!("{} heads for {} outputs", heads.len(), outputs.len()));
        }
        let values = network.evaluate(picture).map_err(|error| error.to_string())?;
        for (head, numbers) in heads.iter().zip(outputs) {
            if !agrees(&values[*head], numbers) {
                return Err(format!("{:?} is not {numbers:?}", values[*head]));
            }
        }
    }
    Ok(())
}

/// The option for models that were trained on the levels themselves.
fn range(options: &[String]) -> Option<String> {
    let has_range = options.iter().any(|option| option.starts_with("--range"));
    let levels = options.iter().find_map(|option| option.strip_prefix("--levels="));
    levels.filter(|_| !has_range).map(|levels| format!("--range={levels}"))
}

/// Whether a head yields these numbers, up to the rounding of single precision.
fn agrees(value: &Value, numbers: &[f64]) -> bool {
    let scale = numbers.iter().fold(1.0_f64, |most, number| most.max(number.abs()));
    let is_near = |(a, b): (&f64, &f64)| (a - b).abs() <= 1e-4 * scale;
    value.numbers().len() == numbers.len() && value.numbers().iter().zip(numbers).all(is_near)
}

/// The number of models in a folder, and their problems.
fn compare_all(folder: &Path) -> (usize, Vec<String>) {
    let files = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let mut models: Vec<_> =
        files.filter(|path| path.extension().is_some_and(|extension| extension == "onnx")).collect();
    models.sort();
    let problem =
        |path: &std::path::PathBuf| compare(path).err().map(|problem| format!("{}: {problem}", path.display()));
    (models.len(), models.iter().filter_map(problem).collect())
}

#[test]
fn networks_compute_what_their_models_do() {
    let (count, wrong) = compare_all(Path::new(MODELS));
    assert_eq!(count, 12);
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Operators are tested one by one, in the version of each opset; another script made them.
#[test]
fn operators_compute_what_onnxruntime_does() {
    let (count, wrong) = compare_all(&Path::new(MODELS).join("operators"));
    assert_eq!(count, 176);
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// What exporters write is imported, and what that is, is compared with onnxruntime; or it is refused with what to do.
#[test]
fn models_of_exporters_are_right_or_refused() {
    /// A model that has other options than the rest, is refused, or is compared by the import alone.
    #[derive(Deserialize)]
    struct Exported {
        options: Vec<String>,
        #[serde(default)]
        refused: Vec<String>,
        #[serde(default)]
        pictures: Vec<Vec<u8>>,
        #[serde(default)]
        outputs: Vec<Vec<Vec<f64>>>,
    }
    let folder = crate::Folder::new("");
    let (mut imported, mut refused) = (0, 0);
    let mut wrong = Vec::new();
    for path in fs::read_dir(Path::new(MODELS).join("exporters")).unwrap().map(|entry| entry.unwrap().path()) {
        if path.extension().is_none_or(|extension| extension != "onnx") {
            continue;
        }
        let name = path.file_stem().unwrap().to_str().unwrap();
        let model: Exported = serde_json::from_slice(&fs::read(path.with_extension("json")).unwrap()).unwrap();
        let output = format!("{name}.toml");
        let arguments = ["import", path.to_str().unwrap(), SHORT, "-o", &output];
        let arguments: Vec<&str> = arguments.into_iter().chain(model.options.iter().map(String::as_str)).collect();
        let run = folder.cain(&arguments);
        let file = folder.0.path().join(&output);
        if !model.refused.is_empty() {
            refused += 1;
            let is_told = model.refused.iter().all(|part| run.stderr.contains(part));
            if run.succeeded || file.exists() || !is_told {
                wrong.push(format!("{name} is not refused with {:?}: {}", model.refused, run.stderr));
            }
            continue;
        }
        imported += 1;
        if !run.succeeded {
            wrong.push(format!("{name}: {}", run.stderr));
            continue;
        }
        let network = load_networks(&file).unwrap().remove(0).of.network;
        for (picture, outputs) in model.pictures.iter().zip(&model.outputs) {
            let values = network.evaluate(picture).unwrap();
            let heads = network.heads();
            for (head, numbers) in heads.iter().zip(outputs) {
                // The controller has no logarithm, and the message says so.
                let is_logarithm = name == "script_log_softmax";
                let numbers: Vec<f64> =
                    if is_logarithm { numbers.iter().map(|n| n.exp()).collect() } else { numbers.clone() };
                if heads.len() != outputs.len() || !agrees(&values[*head], &numbers) {
                    wrong.push(format!("{name}: {:?} is not {numbers:?}", values[*head]));
                }
            }
        }
        let told = |part: &str| run.stderr.contains(part);
        let is_told = match name {
            "script_log_softmax" => told("probabilities, where the model returns their logarithms"),
            "script_maps" => told("2 maps of 10×9, read out by a layer `plane`"),
            "script_bytes" | "script_type_of_bytes" | "bytes_as_integers" => {
                told("black and white are 0 and 255, by how the model begins")
            }
            "script_centred" => told("black and white are 0 and 1, by how the model begins"),
            _ => told("compared on 32 random pictures: all outputs are those of the model"),
        };
        if !is_told {
            wrong.push(format!("{name} is not told: {}", run.stderr));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert_eq!((imported, refused), (62, 25));
}

/// The controller pools to the 8×8 blocks of the whole array at once, and the example contains the imported network.
#[test]
fn the_network_of_the_robot_is_that_of_its_model() {
    let examples = concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples");
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("analognavnet.toml");
    let mut cain = Command::new(env!("CARGO_BIN_EXE_cain"));
    cain.arg("import").arg(format!("{examples}/training/analognavnet.onnx"));
    let output = cain.args(["--levels=0..100", "--range=0..1", "-o"]).arg(&file).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let imported = load_networks(&file).unwrap().remove(0).of.network;
    let checked_in = load_networks(format!("{examples}/src/analognavnet/analognavnet.toml").as_ref()).unwrap();
    assert_eq!(imported, checked_in.into_iter().next().unwrap().network);
    let means = imported.layers.iter().any(|layer| match &layer.operation {
        Operation::Windows { windows, mean } => *mean && *windows == Window::tiles((256, 256), (32, 32)),
        _ => false,
    });
    assert!(means, "{:?}", imported.layers.iter().map(|layer| &layer.name).collect::<Vec<_>>());
}

/// Tests further models than those of the repository. An environment variable names a Python interpreter that has the
/// packages; others may set the number of models.
#[test]
fn random_networks_compute_what_onnxruntime_does() {
    let python = env::var("CAIN_TEST_PYTHON").unwrap_or_else(|_| "python3".to_owned());
    let has_packages = Command::new(&python).args(["-c", "import numpy, onnx, onnxruntime"]).output();
    if !has_packages.is_ok_and(|output| output.status.success()) {
        let reason = format!("{python} has no numpy, onnx and onnxruntime; CAIN_TEST_PYTHON may name one that has");
        return cain_tests::skipped("random networks against onnxruntime", &reason).unwrap();
    }
    let count = env::var("CAIN_TEST_MODELS").unwrap_or_else(|_| "40".to_owned());
    // There are chains of layers, and graphs in which several nodes read the same node.
    for script in ["models.py", "graphs.py"] {
        let folder = tempfile::tempdir().unwrap();
        let script = Path::new(MODELS).join(script);
        let status = Command::new(&python).arg(script).arg(folder.path()).args([&count, "2"]).status().unwrap();
        assert!(status.success());
        let (made, problems) = compare_all(folder.path());
        assert_eq!(made.to_string(), count);
        // A few of them do what is refused.
        let is_refused = |problem: &&String| REFUSED.iter().any(|refused| problem.contains(refused));
        let (refused, wrong): (Vec<&String>, Vec<&String>) = problems.iter().partition(is_refused);
        assert!(wrong.is_empty(), "{wrong:?}");
        assert!(refused.len() * 4 < made, "{refused:?}");
    }
}

/// Why random models may be refused.
const REFUSED: [&str; 2] = ["takes means over fewer pixels at the border", "several pictures of a batch"];

/// The models of the repository.
fn models() -> Vec<Vec<u8>> {
    (0..12).map(|model| fs::read(Path::new(MODELS).join(format!("{model}.onnx"))).unwrap()).collect()
}

/// Files that end early give messages.
#[test]
fn truncated_models_are_refused() {
    for model in models() {
        for length in 0..model.len() {
            // A list of outputs may end early without an error.
            if let Err(problem) = texts::network(&model[..length], Some(20)) {
                assert!(!problem.is_empty());
            }
        }
    }
    assert!(texts::network(b"", None).unwrap_err().starts_with("not an ONNX file, or a damaged one"));
    assert!(texts::network(b"{\"target\": \"scamp5\"}", None).unwrap_err().starts_with("not an ONNX file"));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]

    /// Damaged files end with a message or a network.
    #[test]
    fn damaged_models_end_with_an_answer(
        model in 0..12_usize,
        changes in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..4),
    ) {
        let mut bytes = fs::read(Path::new(MODELS).join(format!("{model}.onnx"))).unwrap();
        for (place, byte) in changes {
            let place = place.index(bytes.len());
            bytes[place] = byte;
        }
        let _ = texts::network(&bytes, Some(20));
    }
}

/// A model in which a text is replaced by another one of the same length.
#[track_caller]
fn replaced(old: &str, new: &str) -> Vec<u8> {
    assert_eq!(old.len(), new.len());
    let is_place = |bytes: &Vec<u8>| bytes.windows(old.len()).position(|window| window == old.as_bytes());
    let (mut bytes, place) =
        models().into_iter().find_map(|bytes| is_place(&bytes).map(|place| (bytes, place))).unwrap();
    while let Some(place) = is_place(&bytes) {
        bytes[place..place + new.len()].copy_from_slice(new.as_bytes());
    }
    assert_eq!(&bytes[place..place + new.len()], new.as_bytes());
    bytes
}

#[test]
fn nodes_without_a_counterpart_are_named() {
    for (old, new) in [("MatMul", "CumSum"), ("Softmax", "Hardmax"), ("Where", "Trilu"), ("AveragePool", "Convolution")]
    {
        let problem = texts::network(&replaced(old, new), Some(20)).unwrap_err();
        assert!(problem.starts_with("node `"), "{problem}");
        let expected = format!("` ({new}): no counterpart on the array or the controller");
        assert!(problem.split('`').count() > 2 && problem.contains(&expected[1..]), "{problem}");
    }
}

/// Rounding is reported, and nothing is rounded without permission.
#[test]
fn rounding_is_reported() {
    let rounded = models().into_iter().find_map(|model| {
        let problem = texts::network(&model, None).err()?;
        Some((model, problem))
    });
    let (model, problem) = rounded.unwrap();
    assert!(problem.contains("the weights are no multiples of 1/2^20; round them with `--depth "), "{problem}");
    assert!(problem.contains(": largest change "), "{problem}");
    let (_, remarks) = texts::network(&model, Some(4)).unwrap();
    assert!(remarks.iter().any(|remark| remark.contains("as multiples of 1/16: largest change ")), "{remarks:?}");
    assert!(remarks.iter().any(|remark| remark.contains(" bits on the controller: ")), "{remarks:?}");
    assert!(remarks.iter().any(|remark| remark.contains("(Conv): array: `")), "{remarks:?}");
    assert!(remarks.iter().any(|remark| remark.contains(": controller: `")), "{remarks:?}");
}

/// Nor is it told then that outputs are those of the model.
#[test]
fn coarse_rounding_is_warned_of() {
    let folder = crate::Folder::new("");
    let model = format!("{MODELS}/exporters/script_batch_norm_rounded.onnx");
    let told = |depth: &str| {
        let run = folder.cain(&[
            "import",
            &model,
            SHORT,
            "--levels=0..100",
            "--range=0..1",
            depth,
            "-o",
            "net.toml",
            "--force",
        ]);
        assert!(run.succeeded, "{}", run.stderr);
        run.stderr
    };
    let compared = "compared on 32 random pictures: with the weights before rounding, outputs are those of the model";
    for (depth, warning) in [
        ("--depth=0", "kernels become zero; allow a larger depth"),
        ("--depth=1", "rounding changes the weights by 15 %"),
    ] {
        let told = told(depth);
        assert!(told.contains("warning: `node_conv_0`: ") && told.contains(warning), "{told}");
        assert!(told.contains(compared) && !told.contains("all outputs are those of the model"), "{told}");
    }
    let fine = told("--depth=7");
    assert!(fine.contains("all outputs are those of the model") && !fine.contains("rounding changes"), "{fine}");
}

#[test]
fn options_and_files() {
    let folder = crate::Folder::new("");
    let model = Path::new(MODELS).join("0.onnx");
    fs::copy(&model, folder.0.path().join("net.onnx")).unwrap();
    fs::write(folder.0.path().join("c.json"), "{}").unwrap();
    let expect = |arguments: &[&str], problem: &str| {
        let run = folder.cain(arguments);
        assert!(run.stdout.is_empty() && !run.succeeded, "{}", run.stdout);
        assert!(run.stderr.contains(problem), "{}", run.stderr);
    };
    expect(
        &["import", "net.onnx", "--levels=-60..127"],
        "127 DN is outside of the registers, which hold levels of pictures from -126 to 126 DN",
    );
    expect(
        &["import", "net.onnx"],
        "net.onnx: the model does not tell its numbers for black and white; add `--range LO..HI`",
    );
    expect(&["import", "none.onnx", "--levels", "0..1"], "none.onnx: cannot be read: ");
    expect(&["import", ".onnx", "--levels", "0..1"], ".onnx: cannot be read: ");
    expect(&["import", "net.onnx", "--levels", "3..3"], "black and white must differ");
    expect(&["import", "net.onnx", "--levels", "0..x"], "expected two numbers such as -60..60");
    expect(&["import", "net.onnx", "--levels", "-60...5"], "expected two numbers such as -60..60");
    expect(&["import", "net.onnx", "--words", "0"], "0 is not in 1..");
    expect(&["import", "c.json", "--words", "9"], "c.json: `--words` is for networks, whose files end with `.onnx`");
    expect(&["import", "c.json", "--depth", "3"], "c.json: `--depth` is for networks, whose files end with `.onnx`");
    fs::write(folder.0.path().join("large.onnx"), vec![0; (1 << 23) + 1]).unwrap();
    expect(&["import", "large.onnx", "--levels", "0..1"], "large.onnx: the file is larger than 8388608 bytes");
    let run =
        folder.cain(&["import", "net.onnx", "--levels=-60..60", "--range=-60..60", "--depth", "20", "-o", "net.toml"]);
    assert!(run.succeeded, "{}", run.stderr);
    let text = fs::read_to_string(folder.0.path().join("net.toml")).unwrap();
    assert!(text.starts_with("# Imported from net.onnx by `cain import`\n\n[network.net]\n"), "{text}");
    // A file that was changed after writing is not replaced.
    let again = ["import", "net.onnx", "--levels=0..60", "--range=0..60", "--depth", "20", "-o", "net.toml"];
    assert!(folder.cain(&again).succeeded);
    fs::write(folder.0.path().join("net.toml"), text.replace("-60", "-50")).unwrap();
    expect(&again, "net.toml: exists already");
}

/// Numbers for black and white that do not fit are told, by what the model makes of labelled pictures.
#[test]
fn numbers_that_do_not_fit_are_told() {
    const COUNT: u8 = 40;
    const SIDE: usize = 28;
    let folder = crate::Folder::new("");
    let model = concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples/training/two_layer.onnx");
    fs::copy(model, folder.path("net.onnx")).unwrap();
    let import = |more: &[&str]| {
        let settings =
            ["import", "net.onnx", "--levels=0..60", "--depth=2", "--binarise=128", "--force", "-o", "net.toml"];
        let run = folder.cain(&[&settings, more].concat());
        assert!(run.succeeded, "{}", run.stderr);
        let warnings: Vec<String> =
            run.stderr.lines().filter(|line| line.starts_with("warning: ")).map(str::to_owned).collect();
        // What is expected on a chip is another matter.
        warnings.into_iter().filter(|line| !line.contains("a chip is expected")).collect::<Vec<_>>()
    };
    assert!(import(&["--range=0..60", "--no-check"]).is_empty());
    let network = load_networks(&folder.path("net.toml")).unwrap().remove(0).of.network;
    let scores = network.heads()[0];
    // Two bars at places that differ from picture to picture, and the class that the model finds.
    let head = |magic: u32, sizes: &[u32]| {
        std::iter::once(magic).chain(sizes.to_vec()).flat_map(u32::to_be_bytes).collect::<Vec<u8>>()
    };
    let (mut pictures, mut labels) = (head(0x803, &[COUNT.into(), 28, 28]), head(0x801, &[COUNT.into()]));
    for number in 0..usize::from(COUNT) {
        let (row, column) = (4 + number * 7 % 18, 4 + number * 11 % 18);
        let is_white = |place: usize| {
            let (y, x) = (place / SIDE, place % SIDE);
            (y.abs_diff(row) < 2 && (4..24).contains(&x))
                || (x.abs_diff(column) < 2 && (4..4 + number % 21).contains(&y))
        };
        let picture: Vec<u8> = (0..SIDE * SIDE).map(|place| if is_white(place) { 255 } else { 0 }).collect();
        let values = network.evaluate(&picture).unwrap();
        let numbers = values[scores].numbers();
        let best = (0..numbers.len()).max_by(|&a, &b| numbers[a].total_cmp(&numbers[b])).unwrap();
        labels.push(u8::try_from(best).unwrap());
        pictures.extend(picture);
    }
    fs::create_dir(folder.path("data")).unwrap();
    fs::write(folder.path("data/t10k-images-idx3-ubyte"), pictures).unwrap();
    fs::write(folder.path("data/t10k-labels-idx1-ubyte"), labels).unwrap();
    assert_eq!(import(&["--range=0..60", "--data", "data"]), [""; 0]);
    // 24 of them, from all parts, are kept for the predictions of builds.
    let kept = load_networks(&folder.path("net.toml")).unwrap().remove(0).of.network.pictures;
    let bytes = fs::read(folder.path("data/t10k-images-idx3-ubyte")).unwrap();
    let all: Vec<&[u8]> = bytes[16..].chunks(SIDE * SIDE).collect();
    let places: Vec<usize> = kept.iter().map(|kept| all.iter().position(|one| one == kept).unwrap()).collect();
    assert_eq!((places.len(), &places[..4], places[23]), (24, &[0, 1, 3, 5][..], 38));
    let warnings = import(&["--range=0..1", "--data", "data"]);
    let is_told = |what: &str| warnings.iter().any(|warning| warning.contains(what));
    assert!(is_told("finds class") && is_told("of 40 pictures; check `--range 0..1`"), "{warnings:?}");
    let warnings = import(&["--range=60..0", "--data", "data"]);
    assert!(
        warnings.iter().any(|warning| warning.contains("`--range 0..255` the model would recognise")),
        "{warnings:?}"
    );
}

/// Imports `net.onnx`: the rows of the table that is told, the best one first, all that is told, and the network.
fn chosen(folder: &crate::Folder, arguments: &[&str]) -> (Vec<Vec<String>>, String, String) {
    let run = folder.cain(&[&["import", "net.onnx", "--force", "-o", "net.toml"], arguments].concat());
    assert!(run.succeeded, "{}", run.stderr);
    let rows = run.stderr.lines().skip_while(|line| !line.starts_with("---")).skip(1);
    let rows = rows.take_while(|line| !line.starts_with("expected"));
    // Shares are followed by a space and a percent sign.
    let row = |line: &str| line.replace(" %", "").split_whitespace().map(str::to_owned).collect();
    let text = fs::read_to_string(folder.0.path().join("net.toml")).unwrap();
    (rows.map(row).collect(), run.stderr, text)
}

/// Levels and depths that are not given are chosen by the errors that are predicted; those that are given are kept.
#[test]
fn levels_and_rounding_are_chosen() {
    let folder = crate::Folder::new("");
    let model = models().into_iter().find(|model| texts::network(model, None).is_err()).unwrap();
    fs::write(folder.0.path().join("net.onnx"), model).unwrap();
    let (all, told, text) = chosen(&folder, &["--range=0..1"]);
    let rows = &all;
    let with = |nodes: &str| rows.iter().filter(|row| row[3] == nodes).count();
    // The best settings are judged again, with longer searches, and with still longer ones while many classes change.
    assert_eq!((with("1"), with("1000")), (20, 6), "{told}");
    let is_good = |nodes: &[&str]| {
        let within = rows.iter().filter(|row| nodes.contains(&row[3].as_str()));
        within.map(|row| row[5].parse::<f64>().unwrap()).any(|changed| changed <= 1.0)
    };
    assert_eq!(with("10000"), if is_good(&["1", "1000"]) { 0 } else { 3 }, "{told}");
    assert_eq!(with("30000"), if is_good(&["1", "1000", "10000"]) { 0 } else { 2 }, "{told}");
    assert!(text.contains(&format!("levels = \"{}\"", rows[0][0])), "{told}{text}");
    // The network is compiled as it was judged.
    assert!(text.contains(&format!("search = {{ nodes = {} }}", rows[0][3])), "{text}");
    assert!(told.contains("expected on a chip: ") && told.contains(" synthetic pictures, in "), "{told}");
    // The first is as good as the best, and all others are from the least error to the largest.
    let errors: Vec<f64> = rows.iter().map(|row| row[if row[5] == "-" { 7 } else { 5 }].parse().unwrap()).collect();
    let is_sorted = errors[1..].windows(2).all(|pair| pair[0] <= pair[1] + 0.1);
    assert!(rows[0][5] == "-" || (is_sorted && errors[0] <= errors[1] + 1.1), "{told}");
    // Where white is the smaller number, levels are the other way round.
    let (rows, told, _) = chosen(&folder, &["--range=1..0", "--depth", "3", "--nodes=1"]);
    assert_eq!(chosen(&folder, &["--range=1..0", "--depth", "3", "--nodes=1"]).1, told);
    let of = |levels: &str| rows.iter().any(|row| row[0] == levels && row[1] == "3");
    assert!(rows.len() == 4 && ["60..-60", "120..-120", "60..0", "120..0"].into_iter().all(of), "{told}");
    // What is given is not chosen.
    let (rows, told, _) = chosen(&folder, &["--range=0..1", "--levels=0..77", "--nodes=1"]);
    assert!(rows.len() == 5 && rows.iter().all(|row| row[0] == "0..77"), "{told}");
    let (rows, told, text) = chosen(&folder, &["--range=0..1", "--levels=0..77", "--depth=5"]);
    assert!(rows.is_empty() && told.contains("expected on a chip: ") && text.contains("levels = \"0..77\""), "{told}");
    assert!(!text.contains("search = "), "{text}");
    let (_, told, text) = chosen(&folder, &["--range=0..1", "--levels=0..77", "--depth=5", "--nodes=7"]);
    assert!(told.contains("that a search with `nodes = 7` finds") && text.contains("search = { nodes = 7 }"), "{told}");
    assert!(told.contains("`nodes = 7`, for which this was predicted"), "{told}");
    let (_, _, text) = chosen(&folder, &["--range=0..1", "--levels=0..77", "--depth=5", "--largest-sums=1/2"]);
    assert!(text.contains("largest_sums = \"1/2\""), "{text}");
    let refused = folder.cain(&["import", "net.onnx", "--range=0..1", "--largest-sums=2"]);
    assert!(!refused.succeeded && refused.stderr.contains("expected a share from 1/64 to 1"), "{}", refused.stderr);
    // A budget of words is kept if that is possible.
    let words = |row: &Vec<String>| row[4].parse::<u32>().unwrap();
    let least = all.iter().min_by_key(|row| words(row)).unwrap();
    let [depth, nodes] = [1, 3].map(|column| least[column].as_str());
    let least = words(least);
    let (budgeted, told, _) =
        chosen(&folder, &["--range=0..1", "--depth", depth, "--nodes", nodes, "--words", &least.to_string()]);
    assert!(words(&budgeted[0]) <= least && !told.contains("more than the"), "{told}");
    let (_, told, _) = chosen(&folder, &["--range=0..1", "--nodes=1", "--words", "1"]);
    assert!(told.contains(" words are more than the 1 of `--words`; no candidate has fewer"), "{told}");
}

/// A network that no search can compile is told: with chosen levels it is refused, with given ones it is written with a warning.
#[test]
fn what_cannot_be_compiled_is_told() {
    let folder = crate::Folder::new("");
    let import = |model: &str, arguments: &[&str]| {
        fs::copy(Path::new(MODELS).join(model), folder.path("net.onnx")).unwrap();
        let run = folder.cain(&[&["import", "net.onnx", "--force", "-o", "net.toml"], arguments].concat());
        (run.succeeded, run.stderr)
    };
    let registers = "needs more planes at once than 6 registers hold; 12 registers would do, or fewer channels";
    let (written, told) = import("operators/blocks_as_channels-13.onnx", &["--range=-60..60", "--levels=-60..60"]);
    assert!(
        written && told.contains("warning: the network cannot be compiled: ") && told.contains(registers),
        "{told}"
    );
    let (written, told) = import("operators/blocks_as_channels-13.onnx", &["--range=-60..60"]);
    assert!(!written && told.contains("none of 4 settings can be compiled: ") && told.contains(registers), "{told}");
    // Some of several settings are not in the table.
    let (written, told) = import("operators/sums_of_maps-14.onnx", &["--range=-60..60", "--nodes=1"]);
    let left_out = "3 of 7 settings could not be compiled: levels -60..60, -120..120, 0..120; the first one: ";
    assert!(written && told.contains(left_out), "{told}");
    // Where a short search finds no program in so few registers, a longer one may.
    let (written, told) = import("operators/shuffled_channels-13.onnx", &["--range=-60..60"]);
    assert!(written && told.contains("the network keeps `nodes = 1"), "{told}");
    // Fine weights are sums of many parts.
    let depths = "weights in 1/2^20 are sums of too many parts; from `--depth 3` to `--depth 1";
    let (written, told) = import("5.onnx", &["--range=0..1", "--levels=0..100", "--depth=20"]);
    assert!(written && told.contains("warning: the network cannot be compiled: ") && told.contains(depths), "{told}");
    let (written, told) = import("5.onnx", &["--range=0..1", "--depth=20"]);
    assert!(!written && told.contains("none of 4 settings can be compiled: ") && told.contains(depths), "{told}");
}

/// Of a network with convolutions over maps, while all settings change many classes.
#[test]
fn the_range_of_sums_is_chosen() {
    let folder = crate::Folder::new("");
    fs::write(folder.0.path().join("net.onnx"), &models()[5]).unwrap();
    let (rows, told, text) = chosen(&folder, &["--range=0..1", "--nodes=1"]);
    let shares: Vec<&str> = rows.iter().map(|row| row[2].as_str()).collect();
    let with = |share: &str| shares.iter().filter(|found| **found == share).count();
    assert_eq!(["1", "1/2", "1/4", "1/8"].map(with), [20, 4, 4, 4], "{told}");
    let written = if shares[0] == "1" { None } else { Some(format!("largest_sums = \"{}\"", shares[0])) };
    assert!(written.is_none_or(|written| text.contains(&written)), "{told}{text}");
}

/// The weights on the array are exact, so they need no rounding.
#[test]
fn the_trained_examples_are_imported() {
    let trained = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/training");
    let files = fs::read_dir(trained).unwrap().map(|entry| entry.unwrap().path());
    let models: Vec<_> = files.filter(|path| path.extension().is_some_and(|extension| extension == "onnx")).collect();
    assert!(!models.is_empty());
    for model in models {
        let (toml, remarks) = texts::network(&fs::read(&model).unwrap(), None).unwrap();
        let networks = parse_networks(&toml, &mut |file| Err(format!("{file} is missing"))).unwrap();
        let network = &networks[0].network;
        let shapes = network.shapes().unwrap();
        let heads: Vec<_> = network.heads().into_iter().map(|head| shapes[head]).collect();
        // There are ten digits, or the outputs are left and right, and forwards and stop.
        let is_robot = model.file_stem().is_some_and(|name| name == "analognavnet");
        let expected = if is_robot { vec![Shape::Numbers(2); 2] } else { vec![Shape::Numbers(10)] };
        assert_eq!(heads, expected, "{}", model.display());
        let on_array = remarks.iter().filter(|remark| remark.contains(" as multiples of "));
        assert!(
            on_array.clone().count() > 0 && on_array.clone().all(|remark| remark.ends_with("no change")),
            "{remarks:?}"
        );
    }
}

/// A field of a message, of at most a few thousand bytes.
fn field(tag: u8, bytes: &[u8]) -> Vec<u8> {
    let mut length = bytes.len();
    let mut field = vec![tag << 3 | 2];
    while length >= 128 {
        field.push(u8::try_from(length % 128).unwrap() | 128);
        length /= 128;
    }
    field.push(u8::try_from(length).unwrap());
    [field, bytes.to_vec()].concat()
}

/// A model for pictures of 128×128 pixels in which each node reads the one before.
fn chain(ops: &[&str]) -> Vec<u8> {
    let dimension = |size: u8| field(1, &[1 << 3, size | 128, size >> 7 | 1]);
    let sizes = [field(1, &[1 << 3, 1]), field(1, &[1 << 3, 1]), dimension(0), dimension(0)].concat();
    let picture = [field(1, b"0"), field(2, &field(1, &field(2, &sizes)))].concat();
    let node = |(i, op): (usize, &&str)| {
        let node =
            [field(1, i.to_string().as_bytes()), field(2, (i + 1).to_string().as_bytes()), field(4, op.as_bytes())];
        field(1, &node.concat())
    };
    let nodes: Vec<u8> = ops.iter().enumerate().flat_map(node).collect();
    let output = field(12, &field(1, ops.len().to_string().as_bytes()));
    let graph = [nodes, field(11, &picture), output].concat();
    [field(8, &[2 << 3, 13]), field(7, &graph)].concat()
}

/// Small files cannot ask for gigabytes.
#[test]
fn long_chains_of_numbers_are_refused() {
    let (toml, _) = texts::network(&chain(&["Abs", "Flatten", "Relu"]), None).unwrap();
    assert!(toml.contains("op = \"plane\"") && toml.contains("op = \"rectify\""), "{toml}");
    let problem = texts::network(&chain(&[&["Abs", "Flatten"][..], &["Relu"; 500]].concat()), None).unwrap_err();
    assert!(
        problem.contains("(Relu): all nodes up to this one make more than 4194304 numbers off the array"),
        "{problem}"
    );
}
