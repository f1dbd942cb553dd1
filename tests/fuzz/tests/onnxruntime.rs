//! Compares the evaluator of models with onnxruntime.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::{env, fs};

use cain_fuzz::Dice;
use cain_fuzz::onnx::{Generated, Graph, Kind, Tensor, constructs, generate, level, picture};
use serde_json::Value;

/// The outputs of a model for pictures.
fn evaluated(model: &[u8], pictures: &[Vec<f64>]) -> Vec<Vec<Tensor>> {
    let graph = Graph::read(model).unwrap();
    pictures.iter().map(|picture| graph.outputs(picture).unwrap()).collect()
}

/// Whether numbers equal those of the other evaluator, up to the rounding of single precision.
fn agree(tensor: &Tensor, numbers: &[f64]) -> bool {
    let scale = numbers.iter().fold(1.0_f64, |most, number| most.max(number.abs()));
    let is_near = |(a, b): (f64, &f64)| (a - b).abs() <= 1e-4 * scale;
    tensor.numbers.len() == numbers.len() && tensor.numbers.iter().map(|number| number.real()).zip(numbers).all(is_near)
}

/// The models of the command's own tests have expected outputs from onnxruntime.
#[test]
fn known_models_compute_what_onnxruntime_did() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../cain-search/cli/tests/onnx");
    let files = [folder.clone(), folder.join("operators")].map(|folder| fs::read_dir(folder).unwrap());
    let files = files.into_iter().flatten().map(|entry| entry.unwrap().path());
    let models: Vec<PathBuf> = files.filter(|file| file.extension().is_some_and(|ending| ending == "onnx")).collect();
    assert!(models.len() >= 75, "{}", models.len());
    for model in models {
        let mut known: Value = serde_json::from_slice(&fs::read(model.with_extension("json")).unwrap()).unwrap();
        let options: Vec<String> = serde_json::from_value(known["options"].take()).unwrap();
        let greys: Vec<Vec<u8>> = serde_json::from_value(known["pictures"].take()).unwrap();
        let outputs: Vec<Vec<Vec<f64>>> = serde_json::from_value(known["outputs"].take()).unwrap();
        let option = |name: &str| options.iter().find_map(|option| option.strip_prefix(name));
        let (black, white) = option("--levels=").unwrap().split_once("..").unwrap();
        let (black, white): (f64, f64) = (black.parse().unwrap(), white.parse().unwrap());
        let level = |grey: &u8| match option("--binarise=") {
            Some(least) if *grey >= least.parse().unwrap() => white,
            Some(_) => black,
            None => black + (white - black) * f64::from(*grey) / 255.0,
        };
        let pictures: Vec<Vec<f64>> = greys.iter().map(|greys| greys.iter().map(level).collect()).collect();
        for (found, wanted) in evaluated(&fs::read(&model).unwrap(), &pictures).iter().zip(&outputs) {
            let all = found.len() == wanted.len() && found.iter().zip(wanted).all(|(a, b)| agree(a, b));
            assert!(all, "{}: {found:?}\n{wanted:?}", model.display());
        }
    }
}

/// The type, the sizes and the numbers of an output.
type Output = (String, Vec<usize>, Vec<f64>);

/// Tests generated models. An environment variable names a Python interpreter that has the packages; another one may
/// set the number of models.
#[test]
fn generated_models_compute_what_onnxruntime_does() {
    let python = env::var("CAIN_TEST_PYTHON").unwrap_or_else(|_| "python3".to_owned());
    let has_packages = Command::new(&python).args(["-c", "import numpy, onnxruntime"]).output();
    if !has_packages.is_ok_and(|output| output.status.success()) {
        eprintln!("skipped: {python} has no numpy and onnxruntime; CAIN_TEST_PYTHON may name one that has");
        return;
    }
    let count = env::var("CAIN_TEST_MODELS").map_or(400, |count| count.parse().unwrap());
    let folder = tempfile::tempdir().unwrap();
    let mut made = Vec::new();
    for index in 0..count {
        let mut dice = Dice::new("onnxruntime", 1, index);
        let Generated { bytes, constructs } = generate(&mut dice);
        let (height, width) = Graph::read(&bytes).unwrap().picture().unwrap();
        let greys = (0..3).map(|number| picture(&mut dice, height * width, number));
        let pictures: Vec<Vec<f64>> = greys.map(|greys| greys.into_iter().map(level).collect()).collect();
        let file = folder.path().join(format!("{index}.onnx"));
        fs::write(&file, &bytes).unwrap();
        fs::write(file.with_extension("json"), serde_json::to_vec(&pictures).unwrap()).unwrap();
        made.push((file, bytes, pictures, constructs));
    }
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/onnx/run.py");
    let run = Command::new(&python).arg(script).arg(folder.path()).output().unwrap();
    assert!(run.status.success(), "{}", String::from_utf8_lossy(&run.stderr));
    let mut compared: BTreeMap<&str, u32> = BTreeMap::new();
    let mut missing = 0;
    for (file, bytes, pictures, constructs) in made {
        let results = fs::read(file.with_extension("results.json")).unwrap();
        let Some(results) = serde_json::from_slice::<Option<Vec<Vec<Output>>>>(&results).unwrap() else {
            missing += 1;
            continue;
        };
        for (found, wanted) in evaluated(&bytes, &pictures).iter().zip(&results) {
            assert_eq!(found.len(), wanted.len());
            for (found, (kind, dims, numbers)) in found.iter().zip(wanted) {
                let is_same = found.kind == of_name(kind) && found.dims == *dims && agree(found, numbers);
                if !is_same {
                    let kept = env::temp_dir().join("cain-onnxruntime.onnx");
                    fs::write(&kept, &bytes).unwrap();
                    panic!("{}: {found:?}\n{kind} {dims:?} {numbers:?}", kept.display());
                }
            }
        }
        for construct in constructs {
            *compared.entry(construct).or_default() += 1;
        }
    }
    eprintln!("{} of {count} models are compared, {missing} use what onnxruntime lacks", count - missing);
    assert!(missing * 10 <= count, "{missing} of {count}: {}", String::from_utf8_lossy(&run.stdout));
    if count >= 400 {
        let never: Vec<&str> = constructs().filter(|construct| !compared.contains_key(construct)).collect();
        assert!(never.is_empty(), "never compared: {never:?}");
    }
}

/// The type with this name in `NumPy`.
fn of_name(name: &str) -> Kind {
    match name {
        "float32" => Kind::Single,
        "float64" => Kind::Double,
        "bool" => Kind::Bool,
        "int8" => Kind::Int8,
        "int16" => Kind::Int16,
        "int32" => Kind::Int32,
        "int64" => Kind::Int64,
        "uint8" => Kind::Uint8,
        other => panic!("{other}"),
    }
}
