//! Records in KI2 are written and read as the same; faults are reported.

#![no_main]

use komadai_fuzz::kifu::read_and_write;
use komadai_kifu::KifuFormat;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| read_and_write(bytes, KifuFormat::Ki2));
