//! The command `komadai-lab`.

fn main() -> anyhow::Result<()> {
    komadai_lab::run()
}
