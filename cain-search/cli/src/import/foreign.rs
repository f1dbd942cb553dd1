//! Recognises files that cannot be imported.

use std::io::Read as _;
use std::path::Path;

use cain_codegen::Overrides;
use cain_codegen::kernel_file::parse_any;
use cain_codegen::text_file;

use super::json::MAX_BYTES;

/// A description of what can be imported.
pub(super) const IMPORTED: &str =
    "`cain import` reads configurations of the original Cain (JSON) and networks in ONNX, whose files end with `.onnx`";

/// What kind of file this is, if it could not be imported and is recognised.
pub(super) fn told(path: &Path) -> Option<String> {
    let mut bytes = Vec::new();
    text_file::open(path).ok()?.take(MAX_BYTES).read_to_end(&mut bytes).ok()?;
    if let Some(format) = picture(&bytes) {
        return Some(format!("the file is a picture ({format}), which `cain run --image` takes; {IMPORTED}"));
    }
    if let Some(writer) = model(&bytes) {
        return Some(format!(
            "the file is a model as {writer} it; export it as ONNX, for example by `torch.onnx.export`; {IMPORTED}"
        ));
    }
    let is_kernel_file = || {
        let filters = parse_any(std::str::from_utf8(&bytes).ok()?, Overrides::default());
        filters.ok().filter(|filters| !filters.is_empty())
    };
    let has_name = path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("toml"));
    (has_name || is_kernel_file().is_some())
        .then(|| format!("the file is a kernel file, which `cain compile` reads as it is; {IMPORTED}"))
}

/// The format of a picture that begins with these bytes.
fn picture(bytes: &[u8]) -> Option<&'static str> {
    const PICTURES: [(&[u8], &str); 8] = [
        (b"\x89PNG\r\n", "PNG"),
        (b"\xff\xd8\xff", "JPEG"),
        (b"GIF8", "GIF"),
        (b"BM", "BMP"),
        (b"P2", "PGM"),
        (b"P5", "PGM"),
        (b"P3", "PPM"),
        (b"P6", "PPM"),
    ];
    PICTURES.iter().find(|(start, _)| bytes.starts_with(start)).map(|(_, format)| *format)
}

/// What writes models that begin with these bytes.
fn model(bytes: &[u8]) -> Option<&'static str> {
    const MODELS: [(usize, &[u8], &str); 4] = [
        (0, b"PK\x03\x04", "`torch.save` and Keras write"),
        (0, b"\x80\x02", "old versions of `torch.save` write"),
        (0, b"\x89HDF", "Keras writes"),
        (4, b"TFL3", "TensorFlow Lite reads"),
    ];
    let begins =
        |(at, start, _): &&(usize, &[u8], &str)| bytes.get(*at..).is_some_and(|bytes| bytes.starts_with(start));
    MODELS.iter().find(begins).map(|(.., writer)| *writer)
}

#[cfg(test)]
mod tests {
    use super::model;

    #[test]
    fn other_models_are_recognised() {
        assert_eq!(model(b"PK\x03\x04\0\0"), Some("`torch.save` and Keras write"));
        assert_eq!(model(b"\x1c\0\0\0TFL3"), Some("TensorFlow Lite reads"));
        assert_eq!([&b""[..], b"TFL3", b"\x08\x07PK\x03\x04"].map(model), [None; 3]);
    }
}
