mod changes;
mod exchange;
mod failing;
mod files;
mod kill;
mod view;
