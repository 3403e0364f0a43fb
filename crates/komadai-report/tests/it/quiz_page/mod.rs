//! The page of next-move quizzes.

mod browser;
mod page;
