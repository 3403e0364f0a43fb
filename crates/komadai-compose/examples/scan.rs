//! x
use komadai_core::{Hcp, PackedSfen};
use komadai_compose::*;
use std::collections::HashMap;
fn cpu() -> u64 { std::fs::read_to_string("/proc/self/schedstat").unwrap().split(' ').next().unwrap().parse::<u64>().unwrap() / 1000 }
fn main() {
    let a: Vec<String> = std::env::args().collect();
    let bytes = std::fs::read(&a[1]).unwrap();
    let n: usize = a[2].parse().unwrap();
    let _ = Hcp::of;
    let mut composer = Composer::new(ComposerOptions::default());
    let mut stat: HashMap<String, u32> = HashMap::new();
    let t = std::time::Instant::now();
    let mut seen = 0; let mut ok = 0;
    for r in bytes.chunks_exact(40) {
        let score = i16::from_le_bytes([r[32], r[33]]);
        if score < 31000 { continue; }
        let mut b = [0u8; 32]; b.copy_from_slice(&r[..32]);
        let Ok(p) = PackedSfen::from_bytes(b).position() else { continue };
        seen += 1;
        let i = seen % 7;
        let t1 = cpu();
        let res = composer.compose(&p, 3 + 2 * i as u32, seen as u64);
        let us = cpu() - t1;
        *stat.entry(format!("{i} time us")).or_default() += us as u32;
        match res {
            Ok(p) => { ok += 1; println!("{p}"); *stat.entry(format!("{i} ok {}", p.plies())).or_default() += 1; }
            Err(f) => { let s = format!("{i} {f:?}"); *stat.entry(s.split(' ').take(2).collect::<Vec<_>>().join(" ")).or_default() += 1; }
        }
        if seen >= n { break; }
    }
    let mut v: Vec<_> = stat.into_iter().collect(); v.sort();
    for (k, c) in v { eprintln!("{c} {k}"); }
    eprintln!("{ok} of {seen} in {:?}", t.elapsed());
}
