/** A network of an ONNX file as nodes and constants, for recipes that change a network. */
import { type Attribute, type Graph, newGraph, type Ports } from './onnx.ts'
import { type Field, fieldsOf, textOf } from './protobuf.ts'

/** A node with one output. Its attributes are integers and lists of integers. */
export interface NetworkNode {
  readonly operator: string
  readonly inputs: readonly string[]
  readonly output: string
  readonly attributes: Readonly<Record<string, Attribute>>
}

/** A float32 constant in row-major order. */
export interface Constant {
  readonly dims: readonly number[]
  readonly values: Float32Array
}

/** The nodes in execution order, and the constants by name. */
export interface Network {
  readonly nodes: readonly NetworkNode[]
  readonly constants: ReadonlyMap<string, Constant>
}

/** A node without attributes. */
export const newNode = (operator: string, inputs: string[], output: string): NetworkNode => ({
  operator,
  inputs,
  output,
  attributes: {},
})

/** max(x, slope * x): PRelu for slopes of at most 1, in operators for which ONNX Runtime has vector code. */
export function asMaximum({ inputs: [input = '', slopes = ''], output }: NetworkNode): NetworkNode[] {
  const scaled = `${output} scaled`
  return [newNode('Mul', [input, slopes], scaled), newNode('Max', [input, scaled], output)]
}

/** Field numbers of onnx.proto. */
const MODEL = { graph: 7 } as const
const GRAPH = { node: 1, initializer: 5 } as const
const NODE = { input: 1, output: 2, operator: 4, attribute: 5 } as const
const ATTRIBUTE = { name: 1, integer: 3, integers: 8 } as const
const TENSOR = { dims: 1, element: 2, name: 8, bytes: 9 } as const

/** TensorProto.DataType.FLOAT */
const FLOAT = 1

/**
 * Reads an ONNX file. Constants of other types than float32 are left out. Throws a RangeError for invalid protocol
 * buffers.
 */
export function readNetwork(file: Uint8Array): Network {
  const graph = fieldsOf(all(fieldsOf(file), MODEL.graph)[0]?.bytes ?? new Uint8Array())
  return {
    nodes: all(graph, GRAPH.node).map(({ bytes }) => nodeOf(fieldsOf(bytes))),
    constants: new Map(all(graph, GRAPH.initializer).flatMap(({ bytes }) => constantOf(fieldsOf(bytes)))),
  }
}

/** Encodes the network as an ONNX file. The ports name tensors of its nodes. `add` returns the name of a constant. */
export function networkFile(
  name: string,
  { nodes, constants }: Network,
  inputs: Ports,
  outputs: Ports,
  add = (graph: Graph, { values, dims }: Constant) => graph.constant(values, dims),
) {
  const graph = newGraph(name, 'expanded')
  const written = new Map([...constants].map(([key, constant]) => [key, add(graph, constant)]))
  for (const node of nodes)
    graph.node(
      node.operator,
      node.inputs.map(input => written.get(input) ?? input),
      node.attributes,
      node.output,
    )
  return graph.file(inputs, outputs)
}

const all = (message: readonly Field[], number: number) => message.filter(field => field.number === number)

const textsOf = (message: readonly Field[], number: number) => all(message, number).map(textOf)

const nodeOf = (node: readonly Field[]): NetworkNode => ({
  operator: textsOf(node, NODE.operator)[0] ?? '',
  inputs: textsOf(node, NODE.input),
  output: textsOf(node, NODE.output)[0] ?? '',
  attributes: Object.fromEntries(
    all(node, NODE.attribute).map(({ bytes }) => {
      const attribute = fieldsOf(bytes)
      const integers = all(attribute, ATTRIBUTE.integers).map(({ value }) => value)
      const [integer] = all(attribute, ATTRIBUTE.integer)
      return [textsOf(attribute, ATTRIBUTE.name)[0] ?? '', integer ? integer.value : integers]
    }),
  ),
})

function constantOf(tensor: readonly Field[]): [string, Constant][] {
  if (all(tensor, TENSOR.element)[0]?.value !== FLOAT) return []
  const bytes = Uint8Array.from(all(tensor, TENSOR.bytes)[0]?.bytes ?? [])
  const dims = all(tensor, TENSOR.dims).map(({ value }) => value)
  return [[textsOf(tensor, TENSOR.name)[0] ?? '', { dims, values: new Float32Array(bytes.buffer) }]]
}
