//! The data that all sections of the page share.

use super::names::Names;
use crate::book_page::data::ReportData;

/// The report to be written, and the names of moves.
#[derive(Clone, Copy)]
pub(super) struct Page<'d> {
    pub(super) data: &'d ReportData,
    pub(super) names: Names,
}
