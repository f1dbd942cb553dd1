//! Checks that a network which was imported wrongly is found out.

use std::fs;
use std::path::Path;

use cain_isa::Fraction;
use cain_network::{Network, Operation};

use super::super::{Check, Choices, Imported, read};
use super::{model, node, tensor};

/// Pictures of 10×9 pixels.
fn pictures() -> Vec<Vec<u8>> {
    let mut state = 7_u32;
    let mut pixel = || {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        state.to_be_bytes()[0]
    };
    (0..6).map(|_| (0..90).map(|_| pixel()).collect()).collect()
}

/// A model of the exporters' forms, imported with a change to the network, as if the import had made it so; the error of
/// the check, if there is one.
fn checked(model: &str, depth: Option<u32>, change: impl Fn(&mut Network)) -> Result<(), String> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../cli/tests/onnx/exporters");
    let bytes = fs::read(folder.join(model).with_extension("onnx")).unwrap();
    let choices = Choices { levels: (0.0, 100.0), range: Some((0.0, 1.0)), binarise: None, depth };
    let mut imported = read(&bytes, "n", choices).unwrap();
    change(&mut imported.network);
    change(&mut imported.unrounded);
    let written = imported.network.clone();
    let check = Check::new(&bytes, &imported, &written, choices)?;
    pictures().iter().try_for_each(|picture| check.picture(picture).map(drop))
}

/// Changes the first operation to which the change applies.
fn first(network: &mut Network, change: impl Fn(&mut Operation) -> Option<()>) {
    network.layers.iter_mut().find_map(|layer| change(&mut layer.operation)).unwrap();
}

/// What is changed, and how.
type Change<'c> = (&'c str, &'c dyn Fn(&mut Network));

#[test]
fn wrong_networks_are_found_out() {
    checked("script_cnn", None, |_| ()).unwrap();
    checked("script_batch_norm_rounded", Some(7), |_| ()).unwrap();
    checked("script_heads", None, |_| ()).unwrap();
    let changes: [Change<'_>; 7] = [
        ("script_cnn", &|network| {
            first(network, |operation| {
                let Operation::Convolution { bias, .. } = operation else { return None };
                bias[0] += 0.125;
                Some(())
            });
        }),
        ("script_cnn", &|network| {
            first(network, |operation| {
                let Operation::Convolution { kernels, .. } = operation else { return None };
                kernels[0][0].reverse();
                Some(())
            });
        }),
        ("script_cnn", &|network| {
            first(network, |operation| {
                let Operation::Convolution { padding, .. } = operation else { return None };
                (padding.left, padding.right) = (padding.left - 1, padding.right + 1);
                Some(())
            });
        }),
        ("script_cnn", &|network| {
            first(network, |operation| {
                let Operation::Dense { weights, .. } = operation else { return None };
                weights[0][3] *= 1.001;
                Some(())
            });
        }),
        ("script_batch_norm", &|network| {
            first(network, |operation| {
                let Operation::Threshold { at, .. } = operation else { return None };
                at[0] += 0.05;
                Some(())
            });
        }),
        ("script_where", &|network| {
            first(network, |operation| {
                let Operation::Threshold { below, above, .. } = operation else { return None };
                std::mem::swap(below, above);
                Some(())
            });
        }),
        ("script_heads", &|network| {
            first(network, |operation| {
                matches!(operation, Operation::Softmax).then(|| *operation = Operation::Rectify)
            });
        }),
    ];
    for (number, (model, change)) in changes.into_iter().enumerate() {
        let problem = checked(model, None, change).expect_err(&number.to_string());
        assert!(problem.contains("output `") && problem.contains(" of the model, and "), "{number}: {problem}");
    }
}

/// Rounding is not excused: weights must be the nearest ones, and the kernel file must have them.
#[test]
fn what_is_written_is_what_was_made() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../cli/tests/onnx/exporters");
    let bytes = fs::read(folder.join("script_batch_norm_rounded.onnx")).unwrap();
    let choices = Choices { levels: (0.0, 100.0), range: Some((0.0, 1.0)), binarise: None, depth: Some(7) };
    let Imported { network, .. } = &read(&bytes, "n", choices).unwrap();
    let other = |network: &Network| {
        let mut other = network.clone();
        first(&mut other, |operation| {
            let Operation::Convolution { kernels, .. } = operation else { return None };
            kernels[0][0][0][0] = kernels[0][0][0][0].checked_add(Fraction::new(1, 128)?)?;
            Some(())
        });
        other
    };
    let mut imported = read(&bytes, "n", choices).unwrap();
    let problem =
        |imported: &Imported, written: &Network| Check::new(&bytes, imported, written, choices).err().unwrap();
    assert!(problem(&imported, &other(network)).contains("the kernel file does not have the layer `"));
    imported.network = other(network);
    let problem = problem(&imported, &imported.network);
    assert!(problem.contains(" of the model became "), "{problem}");
}

/// The controller has integers for the weights of dense layers, which are 0 beside much larger ones.
#[test]
fn the_network_as_it_is_written_has_integers() {
    let mut weights = vec![0.0; 72];
    // The first pixel is black.
    (weights[0], weights[37]) = (1000.0, 0.004);
    let nodes = [node("Flatten", &["picture"], "flat", &[]), node("Gemm", &["flat", "w"], "last", &[("transB", &[1])])];
    let bytes = model(&[1, 1, 6, 6], &nodes, &[tensor("w", &[2, 36], weights)], &["last"], &[]);
    let choices = Choices { levels: (0.0, 100.0), range: Some((0.0, 1.0)), binarise: None, depth: None };
    let imported = read(&bytes, "n", choices).unwrap();
    let mut picture = [255; 36];
    picture[0] = 0;
    let compared = Check::new(&bytes, &imported, &imported.network, choices).unwrap().picture(&picture).unwrap();
    assert_eq!((compared.is_same, compared.class, compared.rounded), (true, 1, 0));
}
