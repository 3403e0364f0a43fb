//! The inputs and outputs that a model of dlshogi has.

use tract_onnx::pb::tensor_proto::DataType;
use tract_onnx::pb::tensor_shape_proto::dimension::Value as Size;
use tract_onnx::pb::type_proto::{Tensor, Value};
use tract_onnx::pb::{GraphProto, ModelProto, ValueInfoProto};

use crate::error::ModelError;
use crate::features::{FEATURES1, FEATURES2};
use crate::labels::LABELS;

/// The largest batch for which a model may be made.
const MAX_BATCH: usize = 4_096;

/// A tensor of a model: its name, and its shape after the number of positions.
struct Expected {
    name: &'static str,
    shape: &'static [usize],
}

/// The inputs, in the order in which they are passed.
const INPUTS: [Expected; 2] = [
    Expected { name: "input1", shape: &[FEATURES1, 9, 9] },
    Expected { name: "input2", shape: &[FEATURES2, 9, 9] },
];

/// The outputs, in the order in which they are read.
const OUTPUTS: [Expected; 2] = [
    Expected { name: "output_policy", shape: &[LABELS] },
    Expected { name: "output_value", shape: &[1] },
];

/// The names of the inputs.
pub(crate) const INPUT_NAMES: [&str; 2] = [INPUTS[0].name, INPUTS[1].name];

/// The names of the outputs.
pub(crate) const OUTPUT_NAMES: [&str; 2] = [OUTPUTS[0].name, OUTPUTS[1].name];

/// Checks the inputs and outputs of a model. Returns the number of positions of its batches, `None`
/// if it takes any number.
pub(crate) fn check(model: &ModelProto) -> Result<Option<usize>, ModelError> {
    let lacks = |what: &str| ModelError::NotOnnx { reason: format!("it has no {what}") };
    let graph = model.graph.as_ref().ok_or_else(|| lacks("graph"))?;
    if model.opset_import.is_empty() {
        return Err(lacks("set of operators"));
    }
    let inputs = free_inputs(graph);
    let outputs: Vec<&ValueInfoProto> = graph.output.iter().collect();
    if inputs.len() > INPUTS.len() {
        let found = names(&inputs);
        return Err(ModelError::Missing { tensor: "value for further inputs", found });
    }
    let mut batch = None;
    for (expected, infos) in
        INPUTS.iter().map(|e| (e, &inputs)).chain(OUTPUTS.iter().map(|e| (e, &outputs)))
    {
        let info = infos.iter().find(|info| info.name == expected.name);
        let info =
            info.ok_or_else(|| ModelError::Missing { tensor: expected.name, found: names(infos) })?;
        let is_input = INPUT_NAMES.contains(&expected.name);
        let found = expected.check(info, is_input)?;
        if is_input {
            // Both inputs have the positions in common.
            batch = batch.or(found);
        }
    }
    Ok(batch)
}

/// The inputs whose values are not in the file.
fn free_inputs(graph: &GraphProto) -> Vec<&ValueInfoProto> {
    let is_free = |input: &&ValueInfoProto| !graph.initializer.iter().any(|i| i.name == input.name);
    graph.input.iter().filter(is_free).collect()
}

fn names(infos: &[&ValueInfoProto]) -> Vec<String> {
    infos.iter().map(|info| info.name.clone()).collect()
}

impl Expected {
    /// Checks type and shape. Returns the number of positions, if it is fixed.
    fn check(&self, info: &ValueInfoProto, is_input: bool) -> Result<Option<usize>, ModelError> {
        let value = info.r#type.as_ref().and_then(|of| of.value.as_ref());
        let Some(Value::TensorType(tensor)) = value else {
            return Err(self.mismatch("no tensor".to_owned()));
        };
        let text = || text(tensor);
        if tensor.elem_type != DataType::Float as i32 {
            return Err(self.mismatch(text()));
        }
        let Some(shape) = sizes(tensor) else {
            // Exporters may leave out the shapes of outputs; a trial run checks them.
            return if is_input { Err(self.mismatch(text())) } else { Ok(None) };
        };
        let is_same = shape.len() == self.shape.len() + 1
            && shape[1..]
                .iter()
                .zip(self.shape)
                .all(|(found, size)| found.map_or(!is_input, |found| found == *size));
        let batch = shape.first().copied().flatten();
        if !is_same || batch.is_some_and(|batch| batch > MAX_BATCH) {
            return Err(self.mismatch(text()));
        }
        Ok(batch)
    }

    fn mismatch(&self, found: String) -> ModelError {
        let sizes: Vec<String> = self.shape.iter().map(usize::to_string).collect();
        let expected = format!("float32 [N ≤ {MAX_BATCH}, {}]", sizes.join(", "));
        ModelError::Mismatch { tensor: self.name, found, expected }
    }
}

/// The sizes of a shape, `None` for those that are not stated as numbers.
fn sizes(tensor: &Tensor) -> Option<Vec<Option<usize>>> {
    let size = |value: &Option<Size>| match value {
        Some(Size::DimValue(size)) => usize::try_from(*size).ok().filter(|size| *size > 0),
        _ => None,
    };
    Some(tensor.shape.as_ref()?.dim.iter().map(|dim| size(&dim.value)).collect())
}

fn text(tensor: &Tensor) -> String {
    let of = DataType::from_i32(tensor.elem_type).unwrap_or(DataType::Undefined);
    let kind = match of {
        DataType::Float => "float32".to_owned(),
        other => format!("{other:?}").to_lowercase(),
    };
    let Some(sizes) = sizes(tensor) else { return format!("{kind} without a shape") };
    let size = |size: &Option<usize>| size.map_or("?".to_owned(), |size| size.to_string());
    // A file may state any number of dimensions.
    let shown: Vec<String> = sizes.iter().take(8).map(size).collect();
    let more = if sizes.len() > shown.len() { ", …" } else { "" };
    format!("{kind} [{}{more}]", shown.join(", "))
}
