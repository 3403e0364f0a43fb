//! Opening books (定跡): one real book in five formats, samples of the formats, and synthetic
//! books with exact values.

pub mod frontiers;
pub mod shogihome;
pub mod shogihome_db;
pub mod match_games;
pub mod synthetic;
pub mod yuuki;
