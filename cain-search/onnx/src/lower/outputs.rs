//! The layers that make the outputs of the model.

use std::collections::BTreeSet;

use cain_network::Source;

use super::{Lower, Value, View};
use crate::draft::{Size, Work, read};
use crate::graph::Id;
use crate::op::Op;

impl Lower<'_> {
    /// The layer that makes an output.
    pub(super) fn output(&mut self, id: Id, name: &str) -> Result<usize, String> {
        let value = self.values.get(id).cloned().ok_or("no node makes it")?;
        let forms = match &*value {
            Value::Constant(_) | Value::Refused => return Err("does not depend on the picture".to_owned()),
            Value::Forms(forms) => forms.clone(),
            Value::Maps(view) if view.is_whole() => {
                let (source, size) = self.maps_of(id)?;
                self.read_out_whole(name, size);
                self.pixels(&View::whole(source, size))?
            }
            Value::Maps(view) => self.pixels(view)?,
        };
        if let Some(Op::Softmax { is_logarithm: true, .. }) = self.graph.op(id) {
            self.remarks.push(format!("output `{name}`: probabilities, where the model returns their logarithms"));
        }
        self.numbers(&forms, name)
    }

    /// Notes that maps are an output, which the model has no layer to read out for.
    fn read_out_whole(&mut self, name: &str, (channels, height, width): Size) {
        let maps = if channels == 1 { "one map".to_owned() } else { format!("{channels} maps") };
        self.remarks.push(format!("output `{name}`: {maps} of {height}×{width}, read out by a layer `plane`"));
    }

    /// The layers of the outputs that no other layer reads, one for each output. If others read a layer, or if it is
    /// several outputs, a new layer passes its numbers on.
    pub(super) fn heads(&mut self, outputs: &[usize]) -> Vec<usize> {
        let mut needed = BTreeSet::new();
        let mut waiting = outputs.to_vec();
        while let Some(draft) = waiting.pop() {
            if needed.insert(draft) {
                waiting.extend(self.drafts.get(draft).into_iter().flat_map(read));
            }
        }
        let is_read: BTreeSet<usize> =
            needed.iter().filter_map(|draft| self.drafts.get(*draft)).flat_map(read).collect();
        let is_single = |output: &usize| outputs.iter().filter(|other| *other == output).count() == 1;
        let mut heads = Vec::new();
        for output in outputs {
            if is_single(output) && !is_read.contains(output) {
                heads.push(*output);
                continue;
            }
            let name = self.drafts.get(*output).map_or(String::new(), |draft| format!("{}_output", draft.name));
            let same = Work::Affine { scale: vec![1.0], shift: vec![0.0] };
            heads.push(self.push(&name, vec![Source::Layer(*output)], same, None));
        }
        heads
    }
}
