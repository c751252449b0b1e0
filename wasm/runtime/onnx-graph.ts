/**
 * Reads an ONNX file as a graph of nodes, and writes ONNX files of parts of the graph. Field numbers are those of
 * onnx.proto.
 */
import {
  bytesField,
  concat,
  type Field,
  fieldsOf,
  integerField,
  textField,
  textOf,
} from '../../models/convert/onnx/protobuf.ts'

const MODEL = { graph: 7 } as const
const GRAPH = { node: 1, initializer: 5, input: 11, output: 12, valueInfo: 13 } as const
const NODE = { input: 1, output: 2, operator: 4, attribute: 5 } as const
const ATTRIBUTE = { name: 1, graph: 6, integers: 8, graphs: 11 } as const
const TENSOR = { dims: 1, name: 8 } as const
const VALUE_INFO = { name: 1, type: 2 } as const
const FLOAT = 1

export interface Node {
  readonly operator: string
  /** Names of values; '' for an omitted optional input. */
  readonly inputs: readonly string[]
  readonly outputs: readonly string[]
  /** Attributes that are lists of integers, by name. */
  readonly integers: Readonly<Record<string, readonly number[]>>
  /** True: an attribute holds a subgraph, which may use any value. */
  readonly hasGraph: boolean
  readonly field: Uint8Array
}

export interface Graph {
  /** In file order, which is topological: a node follows the nodes whose outputs it uses. */
  readonly nodes: readonly Node[]
  /** Constants by name: their dimensions and their encoded fields. */
  readonly constants: ReadonlyMap<string, { readonly dims: readonly number[]; readonly field: Uint8Array }>
  /** Encoded fields by name, without constants. */
  readonly inputs: ReadonlyMap<string, Uint8Array>
  readonly outputs: ReadonlyMap<string, Uint8Array>
  /**
   * Encodes a file of these nodes, inputs and outputs. The nodes keep their order. `shapes: false` omits the shapes
   * of inputs and outputs.
   */
  file(
    nodes: readonly Node[],
    inputs: readonly string[],
    outputs: readonly string[],
    options?: { shapes: boolean },
  ): Uint8Array
}

const withNumber = (fields: readonly Field[], number: number): Field[] =>
  fields.filter(field => field.number === number)

export function readGraph(model: Uint8Array): Graph {
  const modelFields = fieldsOf(model)
  const [graphField] = withNumber(modelFields, MODEL.graph)
  if (!graphField) throw new RangeError('the file has no graph')
  const fields = fieldsOf(graphField.bytes)
  const constants = new Map(
    withNumber(fields, GRAPH.initializer).map(field => {
      const tensor = fieldsOf(field.bytes)
      return [nameIn(tensor, TENSOR.name), { dims: dimsOf(tensor), field: field.whole }]
    }),
  )
  const ports = (number: number) =>
    new Map(
      withNumber(fields, number).map(field => [nameIn(fieldsOf(field.bytes), VALUE_INFO.name), field.whole]),
    )
  const inputs = new Map([...ports(GRAPH.input)].filter(([name]) => !constants.has(name)))
  const outputs = ports(GRAPH.output)
  const replaced = new Set<number>(Object.values(GRAPH))
  const kept = fields.filter(({ number }) => !replaced.has(number)).map(({ whole }) => whole)
  const around = modelFields.filter(field => field !== graphField).map(({ whole }) => whole)

  return {
    nodes: withNumber(fields, GRAPH.node).map(readNode),
    constants,
    inputs,
    outputs,
    file(nodes, ins, outs, { shapes } = { shapes: true }) {
      const used = new Set(nodes.flatMap(node => node.inputs))
      const weights = [...constants].flatMap(([name, { field }]) => (used.has(name) ? [field] : []))
      const graph = concat([
        ...nodes.map(({ field }) => field),
        ...kept,
        ...weights,
        ...ins.map(name => (shapes && inputs.get(name)) || portField(GRAPH.input, name)),
        ...outs.map(name => (shapes && outputs.get(name)) || portField(GRAPH.output, name)),
      ])
      return concat([...around, bytesField(MODEL.graph, graph)])
    },
  }
}

function readNode({ bytes, whole }: Field): Node {
  const fields = fieldsOf(bytes)
  const attributes = withNumber(fields, NODE.attribute).map(({ bytes }) => fieldsOf(bytes))
  return {
    operator: nameIn(fields, NODE.operator),
    inputs: withNumber(fields, NODE.input).map(textOf),
    outputs: withNumber(fields, NODE.output).map(textOf),
    integers: Object.fromEntries(
      attributes.map(attribute => [
        nameIn(attribute, ATTRIBUTE.name),
        integersOf(attribute, ATTRIBUTE.integers),
      ]),
    ),
    hasGraph: attributes.some(attribute =>
      attribute.some(({ number }) => number === ATTRIBUTE.graph || number === ATTRIBUTE.graphs),
    ),
    field: whole,
  }
}

const nameIn = (fields: readonly Field[], number: number): string => {
  const [field] = withNumber(fields, number)
  return field ? textOf(field) : ''
}

/** Reads both encodings: one integer per field, or all integers packed into one field. */
const integersOf = (fields: readonly Field[], number: number): number[] =>
  withNumber(fields, number).flatMap(({ value, bytes }) => (bytes.length > 0 ? unpacked(bytes) : [value]))

const dimsOf = (tensor: readonly Field[]): number[] => integersOf(tensor, TENSOR.dims)

function unpacked(bytes: Uint8Array): number[] {
  const values: number[] = []
  let [value, scale] = [0, 1]
  for (const digit of bytes) {
    value += (digit & 127) * scale
    scale *= 128
    if (digit >= 128) continue
    values.push(value)
    value = 0
    scale = 1
  }
  return values
}

/**
 * The same network without the size of its pictures. For fully convolutional networks: some are published for one
 * size and run at any size.
 */
export function withoutShapes(model: Uint8Array): Uint8Array {
  const { nodes, inputs, outputs, file } = readGraph(model)
  return file(nodes, [...inputs.keys()], [...outputs.keys()], { shapes: false })
}

/** Describes a float tensor of any shape. */
const portField = (number: number, name: string): Uint8Array =>
  bytesField(
    number,
    concat([
      textField(VALUE_INFO.name, name),
      bytesField(VALUE_INFO.type, bytesField(1, integerField(1, FLOAT))),
    ]),
  )
