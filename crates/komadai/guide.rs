//! The programs of the guide, which `cargo test` compiles and runs.

macro_rules! pages {
    ($($page:ident),* $(,)?) => {
        mod en {
            $(
                #[doc = include_str!(concat!("../../guide/en/src/", stringify!($page), ".md"))]
                struct $page;
            )*
        }
        mod ja {
            $(
                #[doc = include_str!(concat!("../../guide/ja/src/", stringify!($page), ".md"))]
                struct $page;
            )*
        }
    };
}

pages!(
    start, rules, records, analysis, search, evaluation, training, tsume, compose, books, engine,
    recipes, migration
);
