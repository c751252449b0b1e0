/** Reads TensorFlow Lite models. Field numbers come from schema.fbs of TensorFlow Lite, version 3. */
import { ByteBuffer } from 'flatbuffers'

/** A tensor of the graph. `values` is present for float32 constants. */
interface LiteTensor {
  readonly shape: readonly number[]
  readonly values: Float32Array | undefined
}

export interface LiteOperator {
  /** Name of the BuiltinOperator, for example `CONV_2D`. */
  readonly name: string
  /** Indices of tensors; -1 for an omitted input. */
  readonly inputs: readonly number[]
  readonly outputs: readonly number[]
  /** Options by name; empty for operators without options. */
  readonly options: Readonly<Record<string, number>>
}

/** The main subgraph. Operators are in execution order. */
export interface LiteModel {
  readonly tensors: readonly LiteTensor[]
  readonly operators: readonly LiteOperator[]
  readonly inputs: readonly number[]
  readonly outputs: readonly number[]
}

type Width = 'byte' | 'int'

/** Fields of an operator's options, their widths, and their defaults of 0 or 1. */
type OptionFields = Readonly<Record<string, readonly [field: number, width: Width, ifAbsent: number]>>

/** The operators that this reader knows, by BuiltinOperator number. */
const OPERATORS: Readonly<Record<number, { name: string; options: OptionFields }>> = {
  0: { name: 'ADD', options: { activation: [0, 'byte', 0] } },
  3: {
    name: 'CONV_2D',
    options: {
      padding: [0, 'byte', 0],
      strideX: [1, 'int', 0],
      strideY: [2, 'int', 0],
      activation: [3, 'byte', 0],
      dilationX: [4, 'int', 1],
      dilationY: [5, 'int', 1],
    },
  },
  4: {
    name: 'DEPTHWISE_CONV_2D',
    options: {
      padding: [0, 'byte', 0],
      strideX: [1, 'int', 0],
      strideY: [2, 'int', 0],
      multiplier: [3, 'int', 0],
      activation: [4, 'byte', 0],
      dilationX: [5, 'int', 1],
      dilationY: [6, 'int', 1],
    },
  },
  9: { name: 'FULLY_CONNECTED', options: { activation: [0, 'byte', 0] } },
  17: {
    name: 'MAX_POOL_2D',
    options: {
      padding: [0, 'byte', 0],
      strideX: [1, 'int', 0],
      strideY: [2, 'int', 0],
      columns: [3, 'int', 0],
      rows: [4, 'int', 0],
      activation: [5, 'byte', 0],
    },
  },
  18: { name: 'MUL', options: { activation: [0, 'byte', 0] } },
  19: { name: 'RELU', options: {} },
  22: { name: 'RESHAPE', options: {} },
  41: { name: 'SUB', options: { activation: [0, 'byte', 0] } },
  42: { name: 'DIV', options: { activation: [0, 'byte', 0] } },
  47: { name: 'EXP', options: {} },
  59: { name: 'NEG', options: {} },
  74: { name: 'SUM', options: {} },
  82: { name: 'REDUCE_MAX', options: {} },
  101: { name: 'ABS', options: {} },
}

const FLOAT32 = 0

/** Reads a model. Throws an Error for another file, a second subgraph, and operators that OPERATORS lacks. */
export function readLiteModel(file: Uint8Array): LiteModel {
  const buffer = new ByteBuffer(file)
  if (file.length < 8 || !buffer.__has_identifier('TFL3'))
    throw new Error('the file is no TensorFlow Lite model')
  const model = tableAt(buffer, buffer.readInt32(0))
  const codes = model.tables(1).map(code => Math.max(code.byte(0), code.int(3)))
  const buffers = model.tables(4).map(data => data.bytes(0))
  const [graph, ...others] = model.tables(2)
  if (!graph || others.length > 0) throw new Error('the model does not have one subgraph')
  return {
    tensors: graph.tables(0).map(tensor => {
      const bytes = buffers[tensor.int(2)]
      return {
        shape: tensor.ints(0),
        values:
          tensor.byte(1) === FLOAT32 && bytes?.length ? new Float32Array(bytes.slice().buffer) : undefined,
      }
    }),
    operators: graph.tables(3).map(operator => operatorOf(operator, codes[operator.int(0)]!)),
    inputs: graph.ints(1),
    outputs: graph.ints(2),
  }
}

function operatorOf(operator: Table, code: number): LiteOperator {
  const known = OPERATORS[code]
  if (!known) throw new Error(`the model has the operator ${code}, which this conversion does not know`)
  const table = operator.table(4)
  const options = Object.entries(known.options).map(([name, [field, width, ifAbsent]]) => [
    name,
    table?.[width](field, ifAbsent) ?? ifAbsent,
  ])
  return {
    name: known.name,
    inputs: operator.ints(1),
    outputs: operator.ints(2),
    options: Object.fromEntries(options),
  }
}

/** A FlatBuffers table. Fields are numbered from 0 in the order of the schema; absent fields have defaults. */
interface Table {
  byte(field: number, ifAbsent?: number): number
  int(field: number, ifAbsent?: number): number
  /** A vector of 32-bit integers. */
  ints(field: number): number[]
  /** A vector of bytes; undefined without the field. */
  bytes(field: number): Uint8Array | undefined
  /** A table, also as a member of a union. */
  table(field: number): Table | undefined
  tables(field: number): Table[]
}

function tableAt(buffer: ByteBuffer, table: number): Table {
  /** Place of the field, or 0. */
  const placeOf = (field: number) => {
    const offset = buffer.__offset(table, 4 + 2 * field)
    return offset === 0 ? 0 : table + offset
  }
  const elementsOf = (field: number): number[] => {
    const place = placeOf(field)
    if (place === 0) return []
    const start = buffer.__vector(place)
    return Array.from({ length: buffer.__vector_len(place) }, (_, i) => start + 4 * i)
  }
  return {
    byte: (field, ifAbsent = 0) => (placeOf(field) === 0 ? ifAbsent : buffer.readInt8(placeOf(field))),
    int: (field, ifAbsent = 0) => (placeOf(field) === 0 ? ifAbsent : buffer.readInt32(placeOf(field))),
    ints: field => elementsOf(field).map(place => buffer.readInt32(place)),
    bytes(field) {
      const place = placeOf(field)
      if (place === 0) return undefined
      const start = buffer.__vector(place)
      return buffer.bytes().subarray(start, start + buffer.__vector_len(place))
    },
    table: field => (placeOf(field) === 0 ? undefined : tableAt(buffer, buffer.__indirect(placeOf(field)))),
    tables: field => elementsOf(field).map(place => tableAt(buffer, buffer.__indirect(place))),
  }
}
