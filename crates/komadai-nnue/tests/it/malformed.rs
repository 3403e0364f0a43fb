//! Files that are no networks: typed errors with the place, and no more memory than the file has
//! bytes.

use std::fs::File;

use komadai_nnue::{Architecture, BlockFault, Network, NetworkError};
use proptest::prelude::*;
use tempfile::tempdir;

/// Networks of every format, as small as they get.
const NAMES: [&str; 5] = [
    "kp_32x2-8-8",
    "sfnn_kp_64_7_8_k3k3",
    "sfnn_ka2_64_8_8_progress2",
    "sfnn_kp_18_7_8",
    "layerstack_kp_16_8_8_x9_kingrank9_psqt",
];

fn file_of(name: &str) -> Vec<u8> {
    let architecture: Architecture = name.parse().unwrap();
    let mut file = Vec::new();
    Network::random(architecture, 3).write(&mut file).unwrap();
    file
}

fn error_of(bytes: &[u8]) -> NetworkError {
    Network::from_bytes(bytes).expect_err("the file is malformed")
}

#[test]
fn a_written_file_is_read_back() {
    for name in NAMES {
        let file = file_of(name);
        let mut again = Vec::new();
        Network::from_bytes(&file).unwrap().write(&mut again).unwrap();
        assert!(file == again, "{name}");
    }
}

#[test]
fn a_file_cut_anywhere_is_truncated_there() {
    for name in NAMES {
        let file = file_of(name);
        let lens = (0..file.len().min(300))
            .chain((300..file.len()).step_by(9_973))
            .chain(file.len().saturating_sub(60)..file.len());
        for len in lens {
            match error_of(&file[..len]) {
                NetworkError::Truncated { at, expected, .. } => {
                    assert_eq!(at, len as u64, "{name}");
                    assert!(
                        len as u64 + expected <= file.len() as u64,
                        "{name}, {len}: {expected}"
                    );
                }
                // The lengths of compressed blocks are checked before their content.
                error => panic!("{name}, {len}: {error}"),
            }
        }
    }
}

#[test]
fn errors_name_place_found_and_expected() {
    let file = file_of("kp_32x2-8-8");
    let text = |bytes: &[u8]| error_of(bytes).to_string();
    let hidden_layers = text(&file[..file.len() - 50]);
    let expected = format!(
        "byte {}: the file ends in the second hidden layer, expected 14 bytes more",
        file.len() - 50
    );
    assert_eq!(hidden_layers, expected);
    let mut longer = file.clone();
    longer.push(0);
    let expected =
        format!("byte {}: found more data, expected the end of a file of kp_32x2-8-8", file.len());
    assert_eq!(text(&longer), expected);

    let mut foreign = file.clone();
    foreign[8..12].copy_from_slice(&u32::MAX.to_le_bytes());
    assert!(matches!(error_of(&foreign), NetworkError::DescriptionTooLong { found: u32::MAX, .. }));

    let mut unknown = file.clone();
    unknown.remove(200);
    unknown[12..27].copy_from_slice(b"Convolution-3x3");
    let place = file.len() - (4 + 8 * (4 + 64) + 8 * (4 + 32) + 4 + 32) - 1;
    unknown[place] ^= 1;
    let error = error_of(&unknown);
    assert!(matches!(error, NetworkError::UnknownArchitecture { .. }), "{error}");
    assert!(error.to_string().contains("Convolution-3x3"), "{error}");

    // The bytes count, whatever the description says.
    let mut foreign = file_of("kp_32x2-8-40");
    foreign[12..20].fill(b'?');
    let layers = foreign.windows(15).position(|bytes| bytes == b"AffineTransform").unwrap();
    foreign[layers] = b'?';
    let network = Network::from_bytes(&foreign).unwrap();
    assert_eq!(network.architecture().to_string(), "kp_32x2-8-40");

    // The hash of the hidden layers stands 4 + 8 · (4 + 64) + … bytes before the end.
    let layers = 8 * (4 + 64) + 8 * (4 + 32) + 4 + 32;
    let at = file.len() - layers - 4;
    let mut hash = file.clone();
    hash[at] ^= 1;
    match error_of(&hash) {
        NetworkError::Hash { at: found, section, .. } => {
            assert_eq!((found, section), (at as u64, "the hidden layers"));
        }
        error => panic!("{error}"),
    }
}

#[test]
fn descriptions_with_enormous_widths_do_not_count() {
    let file = file_of("kp_32x2-8-8");
    let end = 12 + u32::from_le_bytes(file[8..12].try_into().unwrap()) as usize;
    let widths =
        ["99999999999999999999", "18446744073709551615", "4294967296", "4194304", "0", "31", "-32"];
    for width in widths {
        let description = format!(
            "Features=K+P[1710->{width}x2],Network=AffineTransform[1<-8](\
             ClippedReLU[8](AffineTransform[8<-{width}](ClippedReLU[8](AffineTransform[{width}<-64]("
        );
        let mut other = file[..8].to_vec();
        other.extend((description.len() as u32).to_le_bytes());
        other.extend(description.as_bytes());
        other.extend(12_345_u32.to_le_bytes());
        other.extend(&file[end + 4..]);
        let network = Network::from_bytes(&other).unwrap();
        assert_eq!(network.architecture().to_string(), "kp_32x2-8-8", "{width}");
        assert!(!network.facts().doubts.is_empty(), "{width}");
        let cut = error_of(&other[..other.len() - 4_000]);
        assert!(matches!(cut, NetworkError::UnknownArchitecture { .. }), "{width}: {cut}");
    }
}

#[test]
fn a_file_of_ten_gigabytes_is_refused_at_once() {
    let folder = tempdir().unwrap();
    let path = folder.path().join("large.bin");
    let architecture: Architecture = "kp_32x2-8-8".parse().unwrap();
    Network::random(architecture, 3).write(File::create(&path).unwrap()).unwrap();
    // A hole takes no space on the disk.
    File::options().write(true).open(&path).unwrap().set_len(10 << 30).unwrap();
    assert!(matches!(Network::open(&path), Err(NetworkError::TooLong { .. })));
    let zeros = folder.path().join("zeros.bin");
    File::create(&zeros).unwrap().set_len(10 << 30).unwrap();
    assert!(matches!(Network::open(&zeros), Err(NetworkError::Version { found: 0 })));
    let missing = Network::open(folder.path().join("missing.bin"));
    assert!(matches!(missing, Err(NetworkError::Io { at: 0, .. })));
}

#[test]
fn a_block_that_is_none_is_refused() {
    let mut file = file_of("sfnn_kp_64_7_8_k3k3");
    let start = file.windows(17).position(|bytes| bytes == b"COMPRESSED_LEB128").unwrap();
    file[start] = b'?';
    match error_of(&file) {
        NetworkError::Block { at, fault: BlockFault::Start { found } } => {
            assert_eq!((at, found.as_str()), (start as u64, "?OMPRESSED_LEB128"));
        }
        error => panic!("{error}"),
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn changed_bytes_give_a_network_or_an_error(
        name in proptest::sample::select(NAMES.to_vec()),
        changes in proptest::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..6),
        early: bool,
    ) {
        let mut file = file_of(name);
        let len = if early { 250 } else { file.len() };
        for (index, byte) in changes {
            file[index.index(len)] = byte;
        }
        if let Ok(network) = Network::from_bytes(&file) {
            prop_assert!(network.architecture().to_string().parse::<Architecture>().is_ok());
        }
    }
}
