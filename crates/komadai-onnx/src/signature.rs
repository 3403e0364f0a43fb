//! The inputs and outputs that a model of dlshogi has.

use tract_onnx::pb::tensor_proto::DataType;
use tract_onnx::pb::tensor_shape_proto::dimension::Value as Size;
use tract_onnx::pb::type_proto::{Tensor, Value};
use tract_onnx::pb::{GraphProto, ModelProto, ValueInfoProto};

use crate::error::ModelError;
use crate::features::{ENTERING_KING_FEATURES, FEATURES1, FEATURES2};
use crate::labels::LABELS;

/// The largest batch for which a model may be made.
const MAX_BATCH: usize = 4_096;

/// A tensor of a model: its name, and its shape after the number of positions.
struct Expected {
    name: &'static str,
    /// The sizes that may stand after the number of positions.
    first: &'static [usize],
    /// The sizes after that.
    rest: &'static [usize],
}

/// The inputs, in the order in which they are passed.
const INPUTS: [Expected; 2] = [
    Expected { name: "input1", first: &[FEATURES1], rest: &[9, 9] },
    Expected {
        name: "input2",
        first: &[FEATURES2, FEATURES2 + ENTERING_KING_FEATURES],
        rest: &[9, 9],
    },
];

/// The outputs, in the order in which they are read.
const OUTPUTS: [Expected; 2] = [
    Expected { name: "output_policy", first: &[LABELS], rest: &[] },
    Expected { name: "output_value", first: &[1], rest: &[] },
];

/// The names of the inputs.
pub(crate) const INPUT_NAMES: [&str; 2] = [INPUTS[0].name, INPUTS[1].name];

/// The names of the outputs.
pub(crate) const OUTPUT_NAMES: [&str; 2] = [OUTPUTS[0].name, OUTPUTS[1].name];

/// The shape of a model's inputs.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Signature {
    /// The number of positions of every batch, `None` if the model takes any number.
    pub(crate) batch: Option<usize>,
    /// The number of planes of the second input.
    pub(crate) planes2: usize,
}

/// Checks the inputs and outputs of a model.
pub(crate) fn check(model: &ModelProto) -> Result<Signature, ModelError> {
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
    let mut signature = Signature { batch: None, planes2: FEATURES2 };
    for (expected, infos) in
        INPUTS.iter().map(|e| (e, &inputs)).chain(OUTPUTS.iter().map(|e| (e, &outputs)))
    {
        let info = infos.iter().find(|info| info.name == expected.name);
        let info =
            info.ok_or_else(|| ModelError::Missing { tensor: expected.name, found: names(infos) })?;
        let is_input = INPUT_NAMES.contains(&expected.name);
        let (batch, first) = expected.check(info, is_input)?;
        if is_input {
            // Both inputs have the positions in common.
            signature.batch = signature.batch.or(batch);
        }
        if expected.name == INPUT_NAMES[1] {
            signature.planes2 = first.unwrap_or(FEATURES2);
        }
    }
    Ok(signature)
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
    /// Checks type and shape. Returns the number of positions and the size after it, each if it is
    /// stated.
    fn check(
        &self,
        info: &ValueInfoProto,
        is_input: bool,
    ) -> Result<(Option<usize>, Option<usize>), ModelError> {
        let value = info.r#type.as_ref().and_then(|of| of.value.as_ref());
        let Some(Value::TensorType(tensor)) = value else {
            return Err(self.mismatch("no tensor".to_owned()));
        };
        if ![DataType::Float as i32, DataType::Float16 as i32].contains(&tensor.elem_type) {
            return Err(self.mismatch(text(tensor)));
        }
        let Some(shape) = sizes(tensor) else {
            // Exporters may leave out the shapes of outputs; a trial run checks them.
            return if is_input { Err(self.mismatch(text(tensor))) } else { Ok((None, None)) };
        };
        let fits = |found: Option<usize>, sizes: &[usize]| {
            found.map_or(!is_input, |found| sizes.contains(&found))
        };
        match shape[..] {
            [batch, first, ref rest @ ..]
                if batch.is_none_or(|batch| batch <= MAX_BATCH)
                    && fits(first, self.first)
                    && rest.len() == self.rest.len()
                    && rest.iter().zip(self.rest).all(|(found, size)| fits(*found, &[*size])) =>
            {
                Ok((batch, first))
            }
            _ => Err(self.mismatch(text(tensor))),
        }
    }

    fn mismatch(&self, found: String) -> ModelError {
        let first: Vec<String> = self.first.iter().map(usize::to_string).collect();
        let rest: String = self.rest.iter().map(|size| format!(", {size}")).collect();
        let first = first.join(" or ");
        let expected = format!("float32 or float16 [N ≤ {MAX_BATCH}, {first}{rest}]");
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
