/** Builds ONNX graphs and encodes them as files. Field numbers come from onnx.proto (IR version 8). */
import { bytesField, concat, floatField, integerField, textField } from './protobuf.ts'

const IR_VERSION = 8
const OPSET = 17

/** TensorProto.DataType */
export const ELEMENT = { float: 1, uint8: 2, int64: 7, half: 10 } as const

/** AttributeProto.AttributeType */
const ATTRIBUTE = { float: 1, int: 2, string: 3, ints: 7 } as const

type TensorData = Float32Array | Uint8Array | BigInt64Array

/** An integer, a list of integers, a text or a float. Floats are wrapped to distinguish them from integers. */
export type Attribute = number | readonly number[] | string | { readonly float: number }

/** A number, or a name for a dimension that varies between runs. */
type Dimension = number | string

/** Dimensions of the float tensors that are inputs or outputs, by name. */
export type Ports = Readonly<Record<string, readonly Dimension[]>>

/** An ONNX graph. Nodes are added in execution order. */
export interface Graph {
  /** Adds a tensor to the file and returns its name. The element type follows from the array's type unless given. */
  constant(data: TensorData, dims: readonly number[], element?: number): string
  /** Adds a node with one output. Returns the name of the output, which is `output` if given. */
  node(
    operator: string,
    inputs: readonly string[],
    attributes?: Record<string, Attribute>,
    output?: string,
  ): string
  /** The bytes of the finished .onnx file. */
  file(inputs: Ports, outputs: Ports): Uint8Array
}

/** An empty graph. Unnamed outputs are `prefix` and a number. Equal calls give equal names and equal bytes. */
export function newGraph(name: string, prefix = 'value'): Graph {
  const nodes: Uint8Array[] = []
  const constants: Uint8Array[] = []
  return {
    constant(data, dims, element = elementOf(data)) {
      const constant = `constant${constants.length}`
      constants.push(tensorMessage(constant, data, dims, element))
      return constant
    },
    node(operator, inputs, attributes = {}, output = `${prefix}${nodes.length}`) {
      nodes.push(nodeMessage(operator, inputs, attributes, output))
      return output
    },
    file(inputs, outputs) {
      return modelMessage([
        ...nodes.map(node => bytesField(1, node)),
        textField(2, name),
        ...constants.map(constant => bytesField(5, constant)),
        ...Object.entries(inputs).map(([port, dims]) => bytesField(11, portMessage(port, dims))),
        ...Object.entries(outputs).map(([port, dims]) => bytesField(12, portMessage(port, dims))),
      ])
    },
  }
}

const modelMessage = (graph: readonly Uint8Array[]) =>
  concat([
    integerField(1, IR_VERSION),
    bytesField(7, concat(graph)),
    bytesField(8, concat([textField(1, ''), integerField(2, OPSET)])),
  ])

const elementOf = (data: TensorData): number => {
  if (data instanceof Float32Array) return ELEMENT.float
  return data instanceof Uint8Array ? ELEMENT.uint8 : ELEMENT.int64
}

/** A TensorProto. */
const tensorMessage = (name: string, data: TensorData, dims: readonly number[], element = elementOf(data)) =>
  concat([
    ...dims.map(size => integerField(1, size)),
    integerField(2, element),
    textField(8, name),
    bytesField(9, new Uint8Array(data.buffer, data.byteOffset, data.byteLength)),
  ])

const nodeMessage = (
  operator: string,
  inputs: readonly string[],
  attributes: Record<string, Attribute>,
  output: string,
) =>
  concat([
    ...inputs.map(input => textField(1, input)),
    textField(2, output),
    textField(4, operator),
    ...Object.entries(attributes).map(([name, value]) => bytesField(5, attributeMessage(name, value))),
  ])

function attributeMessage(name: string, value: Attribute): Uint8Array {
  const named = textField(1, name)
  const typed = (type: number, ...fields: Uint8Array[]) => concat([named, ...fields, integerField(20, type)])
  if (typeof value === 'number') return typed(ATTRIBUTE.int, integerField(3, value))
  if (typeof value === 'string') return typed(ATTRIBUTE.string, textField(4, value))
  if ('float' in value) return typed(ATTRIBUTE.float, floatField(2, value.float))
  return typed(ATTRIBUTE.ints, ...value.map(item => integerField(8, item)))
}

/** A ValueInfoProto of a float tensor. */
const portMessage = (name: string, dims: readonly Dimension[]): Uint8Array => {
  const shape = dims.map(size =>
    bytesField(1, typeof size === 'string' ? textField(2, size) : integerField(1, size)),
  )
  const type = concat([integerField(1, ELEMENT.float), bytesField(2, concat(shape))])
  return concat([textField(1, name), bytesField(2, bytesField(1, type))])
}
