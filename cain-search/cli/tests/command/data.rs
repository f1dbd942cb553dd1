//! Tests of labelled data, including damaged files.

use std::fs;
use std::io::Write as _;
use std::path::Path;

use cain_cli::data::Labelled;
use flate2::Compression;
use flate2::write::GzEncoder;

/// An IDX file with these numbers in its head.
fn idx(magic: u32, sizes: &[u32], bytes: &[u8]) -> Vec<u8> {
    let head = std::iter::once(magic).chain(sizes.iter().copied());
    head.flat_map(u32::to_be_bytes).chain(bytes.iter().copied()).collect()
}

fn pictures(sizes: &[u32], bytes: &[u8]) -> Vec<u8> {
    idx(0x803, sizes, bytes)
}

fn labels(count: u32, bytes: &[u8]) -> Vec<u8> {
    idx(0x801, &[count], bytes)
}

fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::fast());
    encoder.write_all(bytes).unwrap();
    encoder.finish().unwrap()
}

/// A folder with three pictures of 1×2 pixels, which may be damaged.
fn digits(pictures_file: &[u8], labels_file: &[u8]) -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("t10k-images-idx3-ubyte"), pictures_file).unwrap();
    fs::write(folder.path().join("t10k-labels-idx1-ubyte"), labels_file).unwrap();
    folder
}

const PIXELS: [u8; 6] = [0, 10, 20, 30, 40, 255];

fn load(folder: &Path, limit: Option<usize>) -> Result<Labelled, String> {
    Labelled::load(folder, (1, 2), limit)
}

/// The problem with a folder, without its path.
#[track_caller]
fn problem(folder: &Path) -> String {
    let problem = load(folder, None).unwrap_err();
    problem.strip_prefix(&folder.display().to_string()).unwrap_or_else(|| panic!("{problem}")).to_owned()
}

#[test]
fn idx_files_packed_or_not() {
    let (all, classes) = (pictures(&[3, 1, 2], &PIXELS), labels(3, &[2, 0, 1]));
    let plain = digits(&all, &classes);
    let data = load(plain.path(), None).unwrap();
    assert_eq!((data.len(), data.height(), data.width()), (3, 1, 2));
    assert_eq!(data.classes(), ["0", "1", "2"]);
    assert_eq!(data.iter().collect::<Vec<_>>(), [(&[0, 10][..], 2), (&[20, 30], 0), (&[40, 255], 1)]);

    let packed = tempfile::tempdir().unwrap();
    // Training files are used only if there are no others.
    fs::write(packed.path().join("train-images.idx3-ubyte.gz"), gzip(&all)).unwrap();
    fs::write(packed.path().join("train-labels-idx1-ubyte.gz"), gzip(&classes)).unwrap();
    assert_eq!(load(packed.path(), None).unwrap(), data);
    fs::write(packed.path().join("t10k-images-idx3-ubyte.gz"), gzip(&pictures(&[1, 1, 2], &[7, 8]))).unwrap();
    fs::write(packed.path().join("t10k-labels-idx1-ubyte"), labels(1, &[1])).unwrap();
    assert_eq!(load(packed.path(), None).unwrap().iter().next(), Some((&[7, 8][..], 1)));

    let first = load(plain.path(), Some(2)).unwrap();
    assert_eq!(first.iter().collect::<Vec<_>>(), [(&[0, 10][..], 2), (&[20, 30], 0)]);
}

#[test]
fn damaged_idx_files() {
    let (all, classes) = (pictures(&[3, 1, 2], &PIXELS), labels(3, &[2, 0, 1]));
    let of = |pictures: &[u8], labels: &[u8]| problem(digits(pictures, labels).path());
    let (images, numbers) = ("/t10k-images-idx3-ubyte", "/t10k-labels-idx1-ubyte");
    for length in 0..all.len() {
        let problem = of(&all[..length], &classes);
        let expected = match length {
            0 => "the file is empty; expected an IDX file",
            1..16 => "the file ends early, within its head; expected an IDX file",
            _ => "the file ends early: ",
        };
        assert!(problem.starts_with(&format!("{images}: {expected}")), "{length}: {problem}");
    }
    for (pictures_file, labels_file, expected) in [
        (&all, &labels(3, &[2, 0]), format!("{numbers}: the file ends early: 2 bytes where its head announces 3")),
        (&pictures(&[3, 1, 2], &[1; 7]), &classes, format!("{images}: the file is longer than its head announces")),
        (&all, &labels(2, &[2, 0]), format!("{numbers}: 2 labels for 3 pictures; expected one for each")),
        (
            &pictures(&[0, 0, 0], &[]),
            &labels(0, &[]),
            format!("{images}: there are no pictures in it; expected at least one"),
        ),
        (&all, &Vec::new(), format!("{numbers}: the file is empty; expected an IDX file")),
        (
            &classes,
            &classes,
            format!("{images}: not such an IDX file; it begins with [0, 0, 8, 1], expected [0, 0, 8, 3]"),
        ),
        (
            &pictures(&[3, 2, 1], &PIXELS),
            &classes,
            format!("{images}: pictures of 2×1 pixels; the network looks at 1×2"),
        ),
        // The announced gigabytes are neither there nor allocated.
        (
            &pictures(&[u32::MAX, 1, 2], &PIXELS),
            &labels(u32::MAX, &[0]),
            format!(
                "{images}: 4294967295 pictures of 2 pixels; at most 134217728 can be read, with `--limit 134217728`"
            ),
        ),
        (
            &pictures(&[100_000_000, 1, 2], &PIXELS),
            &labels(100_000_000, &[0]),
            format!("{images}: the file ends early: 6 bytes where its head announces 200000000"),
        ),
    ] {
        assert_eq!(of(pictures_file, labels_file), expected);
    }
    let folder = digits(&all, &classes);
    fs::remove_file(folder.path().join("t10k-labels-idx1-ubyte")).unwrap();
    let expected = format!("{images}: the pictures have no labels; expected t10k-labels-idx1-ubyte beside them");
    assert_eq!(problem(folder.path()), expected);
}

#[test]
fn damaged_compression() {
    let (all, classes) = (pictures(&[3, 1, 2], &PIXELS), gzip(&labels(3, &[2, 0, 1])));
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("t10k-images-idx3-ubyte"), &all).unwrap();
    let file = folder.path().join("t10k-labels-idx1-ubyte.gz");
    for length in 0..classes.len() {
        fs::write(&file, &classes[..length]).unwrap();
        assert!(problem(folder.path()).starts_with("/t10k-labels-idx1-ubyte.gz: "), "{length}");
    }
    fs::write(&file, &all).unwrap();
    assert_eq!(problem(folder.path()), "/t10k-labels-idx1-ubyte.gz: cannot be read: invalid gzip header");
}

/// A picture in a folder, all of one grey.
fn grey(folder: &Path, name: &str, grey: u8) {
    fs::create_dir_all(folder.join(name).parent().unwrap()).unwrap();
    image::GrayImage::from_pixel(2, 1, image::Luma([grey])).save(folder.join(name)).unwrap();
}

#[test]
fn a_folder_for_each_class() {
    let folder = tempfile::tempdir().unwrap();
    for (name, value) in [("wall/b.png", 3), ("wall/a.PNG", 2), ("door/x.png", 9), (".hidden/x.png", 0)] {
        grey(folder.path(), name, value);
    }
    fs::write(folder.path().join("wall/notes.txt"), "no picture").unwrap();
    let data = load(folder.path(), None).unwrap();
    assert_eq!(data.classes(), ["door", "wall"]);
    // A limit leaves pictures of each class.
    assert_eq!(data.iter().collect::<Vec<_>>(), [(&[9, 9][..], 0), (&[2, 2], 1), (&[3, 3], 1)]);
    assert_eq!(load(folder.path(), Some(2)).unwrap().iter().map(|(_, label)| label).collect::<Vec<_>>(), [0, 1]);

    let numbered = tempfile::tempdir().unwrap();
    grey(numbered.path(), "10/x.png", 1);
    grey(numbered.path(), "9/x.png", 2);
    let data = load(numbered.path(), None).unwrap();
    assert_eq!(data.classes().len(), 11);
    assert_eq!(data.iter().collect::<Vec<_>>(), [(&[2, 2][..], 9), (&[1, 1], 10)]);
}

#[test]
fn folders_without_data() {
    let folder = tempfile::tempdir().unwrap();
    assert!(problem(folder.path()).starts_with(": no labelled data; expected t10k-images-idx3-ubyte and "));
    fs::create_dir(folder.path().join("0")).unwrap();
    assert!(problem(folder.path()).starts_with("/0: no pictures; expected files of the type png, "));
    fs::write(folder.path().join("0/a.png"), "no picture").unwrap();
    assert!(load(folder.path(), None).unwrap_err().contains("a.png"));
    assert!(problem(&folder.path().join("0/a.png")).starts_with(": not a folder; "));
    assert!(problem(&folder.path().join("none")).starts_with(": cannot be read: "));
}
