/** Rewrites ONNX files. Field numbers come from onnx.proto. */
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
const GRAPH = { initializer: 5, input: 11, output: 12, valueInfo: 13 } as const
const TENSOR = { name: 8 } as const
const VALUE_INFO = { name: 1, type: 2 } as const
const FLOAT = 1

/**
 * The same network without the size of its pictures. For fully convolutional networks: some are published for one
 * size and run at any size.
 */
export function withoutShapes(model: Uint8Array): Uint8Array {
  const parts = fieldsOf(model)
  const graph = parts.find(({ number }) => number === MODEL.graph)
  if (!graph) throw new RangeError('the file has no graph')
  const fields = fieldsOf(graph.bytes)
  const constants = new Set(
    fields.filter(({ number }) => number === GRAPH.initializer).map(field => nameIn(field, TENSOR.name)),
  )
  const written = fields.flatMap(field => {
    const { number, whole } = field
    if (number === GRAPH.valueInfo) return []
    if (number !== GRAPH.input && number !== GRAPH.output) return [whole]
    const name = nameIn(field, VALUE_INFO.name)
    return constants.has(name) ? [] : [portField(number, name)]
  })
  return concat(parts.map(part => (part === graph ? bytesField(MODEL.graph, concat(written)) : part.whole)))
}

const nameIn = ({ bytes }: Field, number: number) => {
  const name = fieldsOf(bytes).find(field => field.number === number)
  return name ? textOf(name) : ''
}

/** Describes a float tensor of any shape. */
const portField = (number: number, name: string) =>
  bytesField(
    number,
    concat([
      textField(VALUE_INFO.name, name),
      bytesField(VALUE_INFO.type, bytesField(1, integerField(1, FLOAT))),
    ]),
  )
