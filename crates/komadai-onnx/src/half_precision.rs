//! Models in half precision, made models in single precision.

use tract_onnx::pb::tensor_proto::DataType;
use tract_onnx::pb::type_proto::Value;
use tract_onnx::pb::{AttributeProto, GraphProto, ModelProto, TensorProto};
use tract_onnx::prelude::f16;

/// Makes all numbers of half precision numbers of single precision: those of weights, inputs,
/// outputs, constants and casts.
///
/// It is done before tract reads the model, because several of its operators (`Gemm`, for one)
/// refuse to mix their own constants with half precision.
pub(crate) fn widen(model: &mut ModelProto) {
    if let Some(graph) = &mut model.graph {
        widen_graph(graph);
    }
}

fn widen_graph(graph: &mut GraphProto) {
    graph.initializer.iter_mut().for_each(widen_tensor);
    let declared = [&mut graph.input, &mut graph.output, &mut graph.value_info];
    for info in declared.into_iter().flatten() {
        if let Some(Value::TensorType(of)) = info.r#type.as_mut().and_then(|of| of.value.as_mut())
            && of.elem_type == DataType::Float16 as i32
        {
            of.elem_type = DataType::Float as i32;
        }
    }
    for node in &mut graph.node {
        let is_cast = node.op_type == "Cast";
        for attribute in &mut node.attribute {
            if is_cast && attribute.name == "to" && attribute.i == DataType::Float16 as i64 {
                attribute.i = DataType::Float as i64;
            }
            widen_attribute(attribute);
        }
    }
}

fn widen_attribute(attribute: &mut AttributeProto) {
    attribute.t.iter_mut().chain(&mut attribute.tensors).for_each(widen_tensor);
    attribute.g.iter_mut().chain(&mut attribute.graphs).for_each(widen_graph);
}

fn widen_tensor(tensor: &mut TensorProto) {
    let (pairs, rest) = tensor.raw_data.as_chunks();
    // A tensor with half a number keeps its type, and is refused by its length.
    if tensor.data_type != DataType::Float16 as i32 || !rest.is_empty() {
        return;
    }
    tensor.data_type = DataType::Float as i32;
    tensor.float_data = tensor
        .int32_data
        .drain(..)
        // The lower half of a 32-bit number holds one of 16 bits.
        .map(|number| f16::from_bits(number as u16).to_f32())
        .collect();
    tensor.raw_data =
        pairs.iter().flat_map(|&pair| f16::from_le_bytes(pair).to_f32().to_le_bytes()).collect();
}

#[cfg(test)]
mod tests {
    use tract_onnx::pb::NodeProto;

    use super::*;

    fn half(raw_data: &[u8], int32_data: &[i32]) -> TensorProto {
        let data_type = DataType::Float16 as i32;
        let (raw_data, int32_data) = (raw_data.to_vec(), int32_data.to_vec());
        TensorProto { data_type, raw_data, int32_data, ..TensorProto::default() }
    }

    #[test]
    fn numbers_are_the_same() {
        // 1, −2, the smallest number, and infinity.
        let mut raw = half(&[0, 0x3c, 0, 0xc0, 1, 0, 0, 0x7c], &[]);
        widen_tensor(&mut raw);
        assert_eq!(raw.data_type, DataType::Float as i32);
        let numbers: Vec<f32> =
            raw.raw_data.as_chunks().0.iter().map(|b| f32::from_le_bytes(*b)).collect();
        assert_eq!(numbers, [1.0, -2.0, 2.0_f32.powi(-24), f32::INFINITY]);
        let mut listed = half(&[], &[0x3c00, 0xc000, 1]);
        widen_tensor(&mut listed);
        assert_eq!(listed.float_data, [1.0, -2.0, 2.0_f32.powi(-24)]);
        assert!(listed.raw_data.is_empty() && listed.int32_data.is_empty());
    }

    #[test]
    fn half_a_number_is_none() {
        let odd = half(&[0, 0x3c, 0], &[]);
        let mut found = odd.clone();
        widen_tensor(&mut found);
        assert_eq!(found, odd);
    }

    #[test]
    fn casts_and_constants_of_inner_graphs_are_reached() {
        let to = AttributeProto { name: "to".into(), i: 10, ..AttributeProto::default() };
        let node = |op_type: &str, attribute| NodeProto {
            op_type: op_type.into(),
            attribute: vec![attribute],
            ..NodeProto::default()
        };
        let value = AttributeProto { t: Some(half(&[0, 0x3c], &[])), ..AttributeProto::default() };
        let inner = GraphProto {
            node: vec![node("Cast", to.clone()), node("Constant", value), node("Other", to)],
            ..GraphProto::default()
        };
        let branch = AttributeProto { g: Some(inner), ..AttributeProto::default() };
        let mut graph = GraphProto { node: vec![node("If", branch)], ..GraphProto::default() };
        widen_graph(&mut graph);
        let inner = graph.node[0].attribute[0].g.as_ref().expect("the graph stays");
        let attributes: Vec<&AttributeProto> =
            inner.node.iter().map(|node| &node.attribute[0]).collect();
        assert_eq!((attributes[0].i, attributes[2].i), (1, 10));
        let constant = attributes[1].t.as_ref().expect("the tensor stays");
        assert_eq!(constant.raw_data, 1.0_f32.to_le_bytes());
    }
}
