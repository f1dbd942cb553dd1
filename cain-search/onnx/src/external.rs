//! Models whose weights are in another file.

use super::proto;
use super::wire::Message as _;

/// Whether a tensor has its numbers in another file.
const ELSEWHERE: i32 = 1;

/// The model with the weights in it that are in files beside it, as PyTorch writes them. `load` reads such a file, given
/// its name.
pub fn with_external(bytes: &[u8], load: &mut dyn FnMut(&str) -> Result<Vec<u8>, String>) -> Result<Vec<u8>, String> {
    // What is damaged is told when the model is read.
    let Ok(mut model) = proto::Model::decode(bytes) else { return Ok(bytes.to_vec()) };
    let Some(graph) = &mut model.graph else { return Ok(bytes.to_vec()) };
    let mut loaded: Option<(String, Vec<u8>)> = None;
    let mut has_any = false;
    for initializer in &mut graph.initializer {
        let Ok(mut tensor) = proto::Tensor::decode(initializer) else { continue };
        if tensor.data_location != ELSEWHERE {
            continue;
        }
        has_any = true;
        let about = |problem: String| format!("tensor `{}`: {problem}", tensor.name);
        let entry = |key: &str| tensor.external_data.iter().find(|entry| entry.key == key).map(|entry| &*entry.value);
        let number = |key: &str| match entry(key) {
            None => Ok(None),
            Some(text) => {
                text.parse::<usize>().map(Some).map_err(|_| about(format!("the {key} `{text}` is no number")))
            }
        };
        let file = entry("location").ok_or_else(|| about("the file with its numbers is not named".to_owned()))?;
        if file.is_empty() || file == ".." || file.contains(['/', '\\', ':', '\0']) {
            return Err(about(format!("its numbers are in `{file}`; expected a file in the folder of the model")));
        }
        let (offset, length) = (number("offset")?.unwrap_or(0), number("length")?);
        if loaded.as_ref().is_none_or(|(name, _)| name != file) {
            let bytes = load(file).map_err(|problem| about(format!("its numbers are in `{file}`, which {problem}")))?;
            loaded = Some((file.to_owned(), bytes));
        }
        let all = loaded.as_ref().map_or(&[][..], |(_, bytes)| bytes.as_slice());
        let rest = all.get(offset..).unwrap_or_default();
        let Some(raw) = rest.get(..length.unwrap_or(rest.len())) else {
            let count = all.len();
            return Err(about(format!("its numbers are beyond the end of `{file}`, which has {count} bytes")));
        };
        tensor.raw_data = raw.to_vec();
        tensor.data_location = 0;
        tensor.external_data.clear();
        *initializer = tensor.encode_to_vec();
    }
    Ok(if has_any { model.encode_to_vec() } else { bytes.to_vec() })
}
