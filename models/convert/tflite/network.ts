/** Rewrites the graph of a TensorFlow Lite model with ONNX operators. */
import type { Constant, Network, NetworkNode } from '../onnx/network.ts'
import type { LiteModel, LiteOperator } from './model.ts'

/** Padding.SAME of schema.fbs: the output has as many pixels as the input, divided by the stride. */
const SAME_PADDING = 0

/**
 * The same network in ONNX's layout: pictures have one plane per channel, the batch size is open. Its input is `input`,
 * and its outputs have the given names. Vectors are pictures of one pixel; a RESHAPE to vectors is the last operator.
 * Constants are float32. Throws an Error for graphs that it cannot represent: it knows convolutions, dense layers,
 * maximum pooling, sums, and PReLU and softmax as TensorFlow writes them.
 */
export function networkOf(model: LiteModel, outputs: readonly string[] = ['output']): Network {
  const nodes: NetworkNode[] = []
  const constants = new Map<string, Constant>()
  const nameOf = (tensor: number) =>
    tensor === model.inputs[0] ? 'input' : (outputs[model.outputs.indexOf(tensor)] ?? `value${tensor}`)
  const { operators } = model
  for (let at = 0; at < operators.length; at++) {
    const operator = operators[at]!
    const [input = -1] = operator.inputs
    if (operator.options.activation) throw new Error(`${operator.name} has an activation`)
    const add = (
      name: string,
      inputs: string[],
      output: number,
      attributes: NetworkNode['attributes'] = {},
    ) =>
      nodes.push({ operator: name, inputs: [nameOf(input), ...inputs], output: nameOf(output), attributes })
    switch (operator.name) {
      case 'CONV_2D':
      case 'DEPTHWISE_CONV_2D':
      case 'FULLY_CONNECTED': {
        const [weights, bias] = [`weights${at}`, `bias${at}`]
        const { filters, attributes } = convolutionOf(operator, model)
        constants.set(weights, filters)
        constants.set(bias, vectorOf(model, operator.inputs[2]!))
        add('Conv', [weights, bias], operator.outputs[0]!, attributes)
        break
      }
      case 'MAX_POOL_2D': {
        const { rows = 0, columns = 0 } = operator.options
        add('MaxPool', [], operator.outputs[0]!, windowOf(operator, model, rows, columns))
        break
      }
      case 'RELU': {
        const { slopes, output, length } = preluOf(model, at)
        constants.set(`slopes${at}`, { dims: [slopes.length, 1, 1], values: slopes })
        add('PRelu', [`slopes${at}`], output)
        at += length - 1
        break
      }
      case 'REDUCE_MAX':
        add('Softmax', [], softmaxOf(model, at), { axis: 1 })
        at += SOFTMAX.length - 1
        break
      case 'ADD':
        add('Add', operator.inputs.slice(1).map(nameOf), operator.outputs[0]!)
        break
      case 'RESHAPE':
        if (operator.outputs[0] !== model.outputs[0]) throw new Error('a RESHAPE is not the last operator')
        add('Flatten', [], operator.outputs[0]!)
        break
      default:
        throw new Error(`${operator.name} is not part of a PReLU or a softmax`)
    }
  }
  return { nodes, constants }
}

/** Filters (output channel, input channel, row, column) and attributes of ONNX's Conv. */
function convolutionOf(operator: LiteOperator, model: LiteModel) {
  const { dilationX = 1, dilationY = 1, multiplier = 1 } = operator.options
  if (dilationX !== 1 || dilationY !== 1 || multiplier !== 1)
    throw new Error('a convolution has dilations or a depth multiplier')
  const { shape, values } = model.tensors[operator.inputs[1]!]!
  if (!values) throw new Error('the filters of a convolution are not constant')
  // A dense layer is a convolution with filters of the size of its input.
  const isDense = operator.name === 'FULLY_CONNECTED'
  const [, height = 1, width = 1, channels = 0] = isDense ? pictureShape(operator, model) : shape
  const [outputs = 0, rows = 0, columns = 0, inputs = 0] = [
    shape[0],
    height,
    width,
    isDense ? channels : shape[3],
  ]
  // A depthwise filter is 1 x rows x columns x channels: its channels are ONNX's output channels.
  const isDepthwise = operator.name === 'DEPTHWISE_CONV_2D'
  const filters = new Float32Array(values.length)
  const area = rows * columns
  for (let output = 0; output < outputs; output++)
    for (let place = 0; place < area; place++)
      for (let input = 0; input < inputs; input++)
        filters[(output * inputs + input) * area + place] = values[(output * area + place) * inputs + input]!
  const dims = isDepthwise ? [inputs, 1, rows, columns] : [outputs, inputs, rows, columns]
  return {
    filters: { dims, values: filters },
    attributes: { ...windowOf(operator, model, rows, columns), group: isDepthwise ? inputs : 1 },
  }
}

/** Shape of an operator's input as a picture: batch, height, width, channels. */
function pictureShape({ inputs }: LiteOperator, { tensors }: LiteModel): readonly number[] {
  const { shape } = tensors[inputs[0]!]!
  return shape.length === 4 ? shape : [1, 1, 1, shape.at(-1)!]
}

/** Attributes of a window that moves over a picture. */
function windowOf(operator: LiteOperator, model: LiteModel, rows: number, columns: number) {
  const { strideX = 1, strideY = 1, padding } = operator.options
  const [, height = 0, width = 0] = pictureShape(operator, model)
  const [above, below] = padding === SAME_PADDING ? padded(height, rows, strideY) : [0, 0]
  const [left, right] = padding === SAME_PADDING ? padded(width, columns, strideX) : [0, 0]
  return { kernel_shape: [rows, columns], strides: [strideY, strideX], pads: [above, left, below, right] }
}

/** Zeros before and after a line of `length` pixels. TensorFlow puts the odd one behind. */
function padded(length: number, kernel: number, stride: number): [before: number, after: number] {
  const all = Math.max((Math.ceil(length / stride) - 1) * stride + kernel - length, 0)
  return [Math.floor(all / 2), Math.ceil(all / 2)]
}

function vectorOf({ tensors }: LiteModel, tensor: number): Constant {
  const { values } = tensors[tensor] ?? {}
  if (!values) throw new Error('a bias is not constant')
  return { dims: [values.length], values }
}

/**
 * PReLU of x as TensorFlow writes it: relu(x) + half * (x - |x|), where `half` is half of the slope per channel; or
 * relu(x) + slope * -relu(-x).
 */
const PRELU = ['RELU', 'ABS', 'SUB', 'MUL', 'ADD']
const NEGATED_PRELU = ['RELU', 'NEG', 'RELU', 'NEG', 'MUL', 'ADD']

/** Softmax of x over the channels as TensorFlow writes it: exp(x - max(x)) / sum(exp(x - max(x))). */
const SOFTMAX = ['REDUCE_MAX', 'SUB', 'EXP', 'SUM', 'DIV']

const feeds = (operator: LiteOperator | undefined, inputs: readonly (number | undefined)[]) =>
  inputs.every(input => operator?.inputs.includes(input!))

/** The operators from this place on, if they have these names; undefined otherwise. */
function operatorsAt({ operators }: LiteModel, at: number, names: readonly string[]) {
  const found = operators.slice(at, at + names.length)
  return found.map(({ name }) => name).join() === names.join() ? found : undefined
}

/** Slopes, output and number of operators of the PReLU whose first operator is at this place. */
function preluOf(model: LiteModel, at: number) {
  const [relu, abs, sub, mul, add] = operatorsAt(model, at, PRELU) ?? []
  const [, negative, negativeRelu, negated, ...rest] = operatorsAt(model, at, NEGATED_PRELU) ?? []
  const [product, sum] = add ? [mul, add] : rest
  const slopes = product?.inputs.find(input => model.tensors[input]!.values)
  const isHalved =
    feeds(abs, [relu?.inputs[0]]) &&
    sub?.inputs[0] === relu?.inputs[0] &&
    sub?.inputs[1] === abs?.outputs[0] &&
    feeds(mul, [sub?.outputs[0]])
  const isNegated =
    feeds(negative, [model.operators[at]!.inputs[0]]) &&
    feeds(negativeRelu, [negative?.outputs[0]]) &&
    feeds(negated, [negativeRelu?.outputs[0]]) &&
    feeds(product, [negated?.outputs[0]])
  const isPrelu =
    (isHalved || isNegated) && feeds(sum, [model.operators[at]!.outputs[0], product?.outputs[0]])
  if (!isPrelu || slopes === undefined) throw new Error('a RELU is not part of a PReLU')
  return {
    slopes: model.tensors[slopes]!.values!.map(value => (isHalved ? 2 * value : value)),
    output: sum!.outputs[0]!,
    length: (isHalved ? PRELU : NEGATED_PRELU).length,
  }
}

/** Output of the softmax whose first operator is at this place. */
function softmaxOf(model: LiteModel, at: number) {
  const [max, sub, exp, sum, div] = operatorsAt(model, at, SOFTMAX) ?? []
  const isSoftmax =
    feeds(sub, [max?.inputs[0], max?.outputs[0]]) &&
    feeds(exp, [sub?.outputs[0]]) &&
    feeds(sum, [exp?.outputs[0]]) &&
    feeds(div, [exp?.outputs[0], sum?.outputs[0]])
  if (!isSoftmax) throw new Error('a REDUCE_MAX is not part of a softmax')
  return div!.outputs[0]!
}
