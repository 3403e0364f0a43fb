//! Opening books (定跡): one real book in five formats, and made-up books with exact values.

pub mod frontiers;
pub mod shogihome_db;
pub mod match_games;
pub mod synthetic;
pub mod yuuki;
