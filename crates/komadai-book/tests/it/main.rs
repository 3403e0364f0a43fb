//! Tests of growing books: the loop, generations of games, results of games.

mod generations;
mod grow;
mod shiba;
