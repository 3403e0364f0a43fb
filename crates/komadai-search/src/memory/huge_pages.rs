//! Huge pages for large tables.
#![expect(unsafe_code, reason = "no safe function advises the system about memory")]

/// Asks the system to back a large block with huge pages, where it does so on request.
///
/// A search reads at random places of tables of megabytes, so that with pages of 4 KiB most reads wait for
/// the translation of the address as well: 1,200,000 nodes with `Material` and 64 MiB took 2.27, 2.33 and
/// 2.37 s of CPU time without, 2.06, 2.08 and 1.96 s with huge pages (2026-11-23, Intel Xeon, virtual).
///
/// The price is that the first use of a page clears 2 MiB, so that this is for long searches, and before
/// their first use of the block.
pub(crate) fn prefer_huge_pages<T>(block: &[T]) {
    /// Smaller blocks have no huge page inside.
    const LEAST: usize = 4 << 20;
    const PAGE: usize = 4 << 10;
    #[cfg(target_os = "linux")]
    if size_of_val(block) >= LEAST {
        let bytes = block.as_ptr().cast::<u8>();
        let skipped = bytes.align_offset(PAGE).min(size_of_val(block));
        // SAFETY: the range lies inside the block. The advice changes no byte; a system that does not know it
        // returns an error, which does not matter.
        unsafe {
            let start = bytes.add(skipped).cast_mut().cast();
            libc::madvise(start, size_of_val(block) - skipped, libc::MADV_HUGEPAGE);
        }
    }
    #[cfg(not(target_os = "linux"))]
    let _ = (block, LEAST, PAGE);
}
