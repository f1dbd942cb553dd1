//! Tests the generator of models.

use super::{Graph, constructs, generate};
use crate::Dice;

/// Every model is valid and can be evaluated, and each construct occurs often.
#[test]
fn generated_models_can_be_evaluated() {
    let mut counts = std::collections::BTreeMap::new();
    for index in 0..1000 {
        let mut dice = Dice::new("graphs", 7, index);
        let generated = generate(&mut dice);
        let graph = Graph::read(&generated.bytes).unwrap();
        let (height, width) = graph.picture().unwrap();
        let outputs = graph.outputs(&vec![60.0; height * width]).unwrap();
        assert!(!outputs.is_empty(), "{index}");
        for construct in generated.constructs {
            *counts.entry(construct).or_insert(0_u32) += 1;
        }
    }
    for construct in constructs() {
        assert!(counts.get(construct).is_some_and(|count| *count >= 10), "{construct}: {counts:?}");
    }
}
