//! Learns a linear evaluation.

use std::time::Instant;
use std::{fs::File, sync::Arc};

use komadai_eval::{Classical, Material};
use komadai_train::linear::LinearEvaluator;
use komadai_train::methods::*;

fn main() -> anyhow::Result<()> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let mut data = LearningData::new();
    for path in &arguments[3..] {
        data.read(File::open(path)?)?;
    }
    let data = Arc::new(data);
    println!("{} training, {} held out", data.training(), data.held_out());
    println!("material {:?} {:?}", data.loss(&Material, 600.0), data.agreement(&Material, 1000));
    let classical = Classical::default();
    println!("classical {:?} {:?}", data.loss(&classical, 600.0), data.agreement(&classical, 1000));
    let groups = arguments[1].parse()?;
    let rate: f32 = arguments[2].parse()?;
    let mut method: Box<dyn Method> = match arguments[0].as_str() {
        "regression" => {
            let mut o = RegressionOptions::default();
            o.rate = rate;
            Box::new(Regression::new(groups, data.clone(), o, 1))
        }
        "treestrap" => {
            let mut o = TreeStrapOptions::default();
            o.rate = rate;
            Box::new(TreeStrap::new(groups, o, 1))
        }
        "quiet" => {
            let mut o = TreeStrapOptions::default();
            o.rate = rate;
            o.quiet = true;
            Box::new(TreeStrap::new(groups, o, 1))
        }
        "mmto" => {
            let mut o = BonanzaOptions::default();
            o.rate = rate;
            Box::new(Bonanza::new(groups, data.clone(), o, 1))
        }
        "tdleaf" => {
            let mut o = TdLeafOptions::default();
            o.rate = rate;
            Box::new(TdLeaf::new(groups, o, 1))
        }
        _ => {
            let mut o = TreeStrapOptions::default();
            o.rate = rate;
            o.learned = StrapNodes::Root;
            Box::new(TreeStrap::new(groups, o, 1))
        }
    };
    let start = Instant::now();
    for round in 1..=10 {
        let r = Instant::now();
        let before = method.positions();
        let mut steps = 0;
        while r.elapsed().as_secs_f32() < std::env::var("SECS").map_or(3.0, |s| s.parse().unwrap())
        {
            method.step();
            steps += 1;
        }
        let rate = (method.positions() - before) as f64 / r.elapsed().as_secs_f64();
        let evaluator = LinearEvaluator::of(method.model());
        println!(
            "{round} {:.0}s: {} steps, {} positions, {rate:.0}/s: loss {:?}, {:?}",
            start.elapsed().as_secs_f32(),
            steps,
            method.positions(),
            data.loss(&evaluator, 600.0),
            data.agreement(&evaluator, 300)
        );
    }
    Ok(())
}
