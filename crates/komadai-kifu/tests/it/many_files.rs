//! A folder of 100,000 files, some of them broken, read in bounded memory.
//!
//! ```console
//! $ cargo test -p komadai-kifu --all-features --test it -- --ignored --nocapture a_folder_of
//! ```

use std::fs;
use std::time::Instant;

use komadai_core::SplitMix64;
use komadai_kifu::{RecordFiles, Tolerance};
use komadai_testdata::kifu::{Sample, jkf_samples, ki2_samples, kif_samples, samples};

const FILES: usize = 100_000;

/// The peak of the memory of this process in KiB, where the system tells it.
fn peak_kib() -> Option<u64> {
    let status = fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find(|line| line.starts_with("VmHWM:"))?;
    line.split_ascii_whitespace().nth(1)?.parse().ok()
}

#[test]
#[ignore = "writes 100,000 files"]
fn a_folder_of_a_hundred_thousand_files_ends_with_a_report_in_bounded_memory() {
    let mut all: Vec<Sample> = samples().chain(kif_samples()).chain(ki2_samples()).collect();
    if cfg!(feature = "jkf") {
        all.extend(jkf_samples());
    }
    let folder = tempfile::tempdir().unwrap();
    let mut random = SplitMix64::new(1);
    let mut broken = 0;
    for number in 0..FILES {
        let sample = &all[number % all.len()];
        let mut bytes = sample.bytes.to_vec();
        // One in ten is damaged: cut, overwritten, or no record at all.
        if number % 10 == 0 {
            broken += 1;
            match random.below(3) {
                0 => bytes.truncate(random.below(bytes.len() as u64) as usize),
                1 => bytes.iter_mut().step_by(37).for_each(|byte| *byte = random.next_u64() as u8),
                _ => bytes = vec![0xff; 1 + random.below(1_000) as usize],
            }
        }
        let sub = folder.path().join(format!("{:03}", number / 1_000));
        fs::create_dir_all(&sub).unwrap();
        fs::write(sub.join(format!("{number:06}-{}", sample.name)), bytes).unwrap();
    }
    let before = peak_kib();
    for tolerance in [Tolerance::Lenient, Tolerance::Strict] {
        let begun = Instant::now();
        let mut files = RecordFiles::open(folder.path(), tolerance);
        let (mut moves, mut errors) = (0, 0);
        for found in files.by_ref() {
            match found.record {
                Ok(record) => moves += record.moves.len(),
                Err(error) => {
                    assert!(error.to_string().len() < 1_000);
                    // Some samples contain fouls, which a strict reading refuses.
                    let name = found.place.path.file_name().and_then(|name| name.to_str());
                    let is_broken = name.is_some_and(|name| name.as_bytes()[5] == b'0');
                    assert!(
                        is_broken || tolerance == Tolerance::Strict,
                        "{}: {error}",
                        found.place
                    );
                    errors += 1;
                }
            }
        }
        let report = *files.report();
        assert_eq!((report.files, report.failed), (FILES as u64, errors));
        assert!(report.failed > broken / 4 && report.games > FILES as u64 * 8 / 10, "{report:?}");
        let (seconds, after) = (begun.elapsed().as_secs_f64(), peak_kib());
        println!(
            "{tolerance:?}: {report:?}, {moves} moves, {seconds:.1} s, peak {before:?} → {after:?} KiB"
        );
        if let (Some(before), Some(after)) = (before, after) {
            assert!(after - before < 64 << 10, "{before} → {after} KiB");
        }
    }
}
