//! Huge pages for large tables.
#![cfg_attr(
    target_os = "linux",
    expect(unsafe_code, reason = "no safe function advises the system about memory")
)]

use std::path::Path;

use crate::file::read_text;

/// Asks the system to back a large block with huge pages, where it does so on request.
///
/// A search reads at random places of tables of megabytes, so that with pages of 4 KiB most reads
/// wait for the translation of the address as well. With material only and 64 MiB, the engine with
/// huge pages visits 1.13 times the nodes per second of the same program without (`searches` in
/// `benches/peers`, the second started with `PR_SET_THP_DISABLE`; median of eight rounds,
/// 2026-11-23, Intel Xeon, virtual).
///
/// The price is that the first use of a page clears 2 MiB, so that this is for long searches, and
/// before their first use of the block.
pub fn prefer_huge_pages<T>(block: &[T]) {
    /// Smaller blocks have no huge page inside.
    const LEAST: usize = 4 << 20;
    const PAGE: usize = 4 << 10;
    #[cfg(target_os = "linux")]
    if size_of_val(block) >= LEAST {
        let bytes = block.as_ptr().cast::<u8>();
        let skipped = bytes.align_offset(PAGE).min(size_of_val(block));
        // SAFETY: the range lies inside the block. The advice changes no byte; a system that does
        // not know it returns an error, which does not matter.
        unsafe {
            let start = bytes.add(skipped).cast_mut().cast();
            libc::madvise(start, size_of_val(block) - skipped, libc::MADV_HUGEPAGE);
        }
    }
    #[cfg(not(target_os = "linux"))]
    let _ = (block, LEAST, PAGE);
}

/// Returns whether the system was asked for huge pages in the middle of a block. `None` where that
/// is not known: on other systems than Linux, or where it has no huge pages.
///
/// Reads a list of the process's memory, so that it is for tests and diagnostics.
///
/// # Examples
///
/// ```
/// use komadai_base::memory::{prefer_huge_pages, prefers_huge_pages};
///
/// let block = vec![0_u64; 4 << 20];
/// prefer_huge_pages(&block);
/// assert_ne!(prefers_huge_pages(&block), Some(false));
/// ```
pub fn prefers_huge_pages<T>(block: &[T]) -> Option<bool> {
    if !Path::new("/sys/kernel/mm/transparent_hugepage").exists() {
        return None;
    }
    let middle = block[block.len() / 2..].as_ptr() as usize;
    let maps = read_text("/proc/self/smaps", 1 << 30).ok()?;
    let mut is_inside = false;
    for line in maps.lines() {
        let range = line.split(' ').next().and_then(|range| range.split_once('-'));
        let bound = |text| usize::from_str_radix(text, 16).ok();
        if let Some((start, end)) = range.and_then(|(a, b)| Some((bound(a)?, bound(b)?))) {
            is_inside = (start..end).contains(&middle);
        } else if let Some(flags) = line.strip_prefix("VmFlags:").filter(|_| is_inside) {
            return Some(flags.split(' ').any(|flag| flag == "hg"));
        }
    }
    None
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use super::*;

    #[test]
    fn only_a_block_that_asks_gets_huge_pages() {
        let block = vec![0_u64; 4 << 20];
        assert_ne!(prefers_huge_pages(&block), Some(true));
        prefer_huge_pages(&block);
        assert_ne!(prefers_huge_pages(&block), Some(false));
    }
}
