mod changes;
mod exchange;
mod failing;
mod files;
mod import;
mod kill;
mod records;
mod view;
