use std::io::{self, Read, SeekFrom};

use super::*;

/// A file of zeros but for some numbers, which takes no memory.
struct Sparse {
    len: u64,
    at: u64,
    numbers: Vec<(u64, u32)>,
}

impl Read for Sparse {
    fn read(&mut self, bytes: &mut [u8]) -> io::Result<usize> {
        bytes.fill(0);
        let number = self.numbers.iter().find(|(place, _)| *place == self.at);
        if let (Some((_, number)), 4) = (number, bytes.len()) {
            bytes.copy_from_slice(&number.to_le_bytes());
        }
        let read = (self.len - self.at).min(bytes.len() as u64);
        self.at += read;
        Ok(read as usize)
    }
}

impl BufRead for Sparse {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        Err(io::ErrorKind::Unsupported.into())
    }

    fn consume(&mut self, _: usize) {}
}

impl Seek for Sparse {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        if let SeekFrom::Start(at) = to {
            self.at = at;
        }
        Ok(self.at)
    }
}

/// A classical file after the hash of its first layer.
fn file(name: &str) -> Source<Sparse> {
    let architecture: Architecture = name.parse().unwrap();
    let first = Architecture::first_layer_len(architecture.features(), architecture.width());
    let len = first + architecture.layers_len();
    let numbers = vec![(first, architecture.layers_hash())];
    Source::new(Sparse { len, at: 0, numbers }, len)
}

fn detect(text: &str, hash: u32, name: &str) -> Result<(String, Vec<String>), NetworkError> {
    let claims = Claims::new(text, hash);
    let mut source = file(name);
    assert!(!claims.is_stacked(&mut source).unwrap(), "{name}");
    let (found, doubts) = claims.classical(&mut source)?;
    Ok((found.to_string(), doubts.iter().map(Doubt::to_string).collect()))
}

fn classic(features: &str, shape: &str, [first, second]: [usize; 2]) -> String {
    format!(
        "Features={features}[{shape}x2],Network=AffineTransform[1<-{second}](ClippedReLU[{second}](\
         AffineTransform[{second}<-{first}](ClippedReLU[{first}](AffineTransform[{first}<-512](\
         InputSlice[512(0:512)])))))"
    )
}

/// The description that thirty branches of one trainer write, whatever they train.
fn false_text() -> String {
    classic("HalfKP(Friend)", "125388->256", [256, 256])
}

#[test]
fn a_false_description_does_not_count() {
    for (shape, width) in [
        ("768x2-16-64", 768),
        ("512x2-8-64", 512),
        ("512x2-8-96", 512),
        ("1024x2-8-96", 1_024),
        ("256x2-8-96", 256),
        ("1280x2-8-96", 1_280),
        ("1536x2-16-128", 1_536),
        ("2560x2-8-64", 2_560),
        ("4096x2-16-32", 4_096),
    ] {
        let name = format!("halfkp_{shape}");
        let hash = 0x5D69_D5B8 ^ (2 * width);
        let doubt = format!("its text says 256x2-256-256, its bytes {shape}; the bytes count");
        let expected = (name.clone(), vec![doubt]);
        assert_eq!(detect(&false_text(), hash, &name).unwrap(), expected);
        assert_eq!(detect("my net", hash, &name).unwrap(), (name.clone(), Vec::new()));
    }
    let said = classic("HalfKP(Friend)", "125388->256", [32, 32]);
    let (found, doubts) = detect(&said, 0x5D69_D7B8, "halfkp_1024x2-8-64").unwrap();
    assert_eq!(found, "halfkp_1024x2-8-64");
    assert!(doubts[0].contains("says 256x2-32-32, its bytes 1024x2-8-64"), "{doubts:?}");
    assert!(doubts[1].contains("0x5D69D7B8"), "{doubts:?}");
    // The description is right for once.
    let true_one = detect(&false_text(), 0x5D69_D7B8, "halfkp_256x2-256-256").unwrap();
    assert_eq!(true_one, ("halfkp_256x2-256-256".to_owned(), Vec::new()));
}

#[test]
fn a_shared_hash_does_not_count() {
    let name = "halfkahm2_1024x2-8-96";
    let own = |raw: u32| raw ^ 2_048;
    let true_text = classic("HalfKA_hm", "73305->1024", [8, 96]);
    for hash in [own(0x5F13_4CB8), own(0x7F13_4CB8), own(0x7F23_4CB8), 0] {
        assert_eq!(detect(&true_text, hash, name).unwrap(), (name.to_owned(), Vec::new()));
        assert_eq!(detect("my net", hash, name).unwrap(), (name.to_owned(), Vec::new()));
        let (found, doubts) = detect(&false_text(), hash, name).unwrap();
        assert_eq!(found, name);
        let said = "its text says halfkp 256x2-256-256, its bytes halfkahm2 1024x2-8-96; \
                    the bytes count";
        assert_eq!(doubts, [said]);
    }
    // The hash of this shape is also that of every stacked network.
    assert_eq!(detect("", 0x5F13_4AB8, "halfka1_768x2-8-96").unwrap().0, "halfka1_768x2-8-96");
    for name in ["HalfKaMerged", "HalfKaHmSplit"] {
        let text = classic(name, "1->512", [8, 32]);
        let set = FeatureSet::from_description(name).unwrap();
        let (hash, name) = (set.layer_stack_hash() ^ 1_024, format!("{set}_512x2-8-32"));
        assert_eq!(detect(&text, hash, &name).unwrap(), (name, Vec::new()));
    }
}

#[test]
fn every_shape_that_is_played_with_is_found_without_hints() {
    for features in FeatureSet::ALL {
        for width in [256, 512, 768, 1_024, 1_536] {
            for [first, second] in [[32, 32], [16, 32], [8, 96], [16, 64], [8, 32], [8, 64]] {
                let name = format!("{features}_{width}x2-{first}-{second}");
                assert_eq!(detect("", 0, &name).unwrap().0, name);
            }
        }
    }
}

#[test]
fn other_kinds_are_refused_by_name() {
    for word in ["-SCReLU", "-Pairwise", "SqrClippedReLU", "EffectBucket=", "Factorizer"] {
        let text = format!("{},{word}", false_text());
        match detect(&text, 0, "halfkp_256x2-32-32") {
            Err(NetworkError::OtherKind { found }) => assert_eq!(found, word),
            other => panic!("{other:?}"),
        }
    }
}

#[test]
fn a_file_of_no_length_is_refused_and_a_damaged_hash_is_left_to_the_reader() {
    let claims = Claims::new("my net", 0x5D69_D7B8);
    let sparse = Sparse { len: 1_000_001, at: 0, numbers: Vec::new() };
    let found = claims.classical(&mut Source::new(sparse, 1_000_001));
    assert!(matches!(found, Err(NetworkError::UnknownArchitecture { left: 1_000_001, .. })));
    let architecture = Architecture::HALF_KP_256;
    let first = Architecture::first_layer_len(architecture.features(), architecture.width());
    let len = first + architecture.layers_len();
    let damaged = Sparse { len, at: 0, numbers: vec![(first, 1)] };
    let (found, _) = claims.classical(&mut Source::new(damaged, len)).unwrap();
    assert_eq!(found, architecture);
}
