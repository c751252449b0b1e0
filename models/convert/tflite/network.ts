/** Rewrites the graph of a TensorFlow Lite model with ONNX operators. */
import type { Constant, Network, NetworkNode } from '../onnx/network.ts'
import type { LiteModel, LiteOperator } from './model.ts'

/** Padding.SAME of schema.fbs: the output has as many pixels as the input, divided by the stride. */
const SAME = 0

/**
 * The same network in ONNX's layout, with the input `input` and the output `output`: pictures have one plane per
 * channel, the batch size is open. Constants are float32. Throws an Error for graphs that it cannot represent: it
 * knows convolutions, sums, PReLU as TensorFlow writes it, and a last RESHAPE to vectors.
 */
export function networkOf(model: LiteModel): Network {
  const nodes: NetworkNode[] = []
  const constants = new Map<string, Constant>()
  const nameOf = (tensor: number): string => (tensor === model.inputs[0] ? 'input' : `value${tensor}`)
  const { operators } = model
  for (let at = 0; at < operators.length; at++) {
    const operator = operators[at]!
    const [input = -1] = operator.inputs
    if (operator.options.activation) throw new Error(`${operator.name} has an activation`)
    switch (operator.name) {
      case 'CONV_2D':
      case 'DEPTHWISE_CONV_2D': {
        const [weights, bias] = [`weights${at}`, `bias${at}`]
        const output = nameOf(operator.outputs[0]!)
        const inputs = [nameOf(input), weights, bias]
        const { filters, attributes } = convolutionOf(operator, model)
        constants.set(weights, filters)
        constants.set(bias, vectorOf(model, operator.inputs[2]!))
        nodes.push({ operator: 'Conv', inputs, output, attributes })
        break
      }
      case 'RELU': {
        const { slopes, output } = preluOf(model, at)
        constants.set(`slopes${at}`, { dims: [slopes.length, 1, 1], values: slopes })
        const inputs = [nameOf(input), `slopes${at}`]
        nodes.push({ operator: 'PRelu', inputs, output: nameOf(output), attributes: {} })
        at += PRELU.length - 1
        break
      }
      case 'ADD':
        nodes.push({
          operator: 'Add',
          inputs: operator.inputs.map(nameOf),
          output: nameOf(operator.outputs[0]!),
          attributes: {},
        })
        break
      case 'RESHAPE':
        if (operator.outputs[0] !== model.outputs[0]) throw new Error('a RESHAPE is not the last operator')
        nodes.push({ operator: 'Flatten', inputs: [nameOf(input)], output: 'output', attributes: {} })
        break
      default:
        throw new Error(`${operator.name} is not part of a PReLU`)
    }
  }
  return { nodes, constants }
}

/** Filters (output channel, input channel, row, column) and attributes of ONNX's Conv. */
function convolutionOf(operator: LiteOperator, { tensors }: LiteModel) {
  const { strideX = 1, strideY = 1, dilationX, dilationY, multiplier = 1, padding } = operator.options
  if (dilationX !== 1 || dilationY !== 1 || multiplier !== 1)
    throw new Error('a convolution has dilations or a depth multiplier')
  const { shape, values } = tensors[operator.inputs[1]!]!
  if (!values) throw new Error('the filters of a convolution are not constant')
  const [outputs = 0, rows = 0, columns = 0, inputs = 0] = shape
  // A depthwise filter is 1 x rows x columns x channels: its channels are ONNX's output channels.
  const isDepthwise = operator.name === 'DEPTHWISE_CONV_2D'
  const filters = new Float32Array(values.length)
  const area = rows * columns
  for (let output = 0; output < outputs; output++)
    for (let place = 0; place < area; place++)
      for (let input = 0; input < inputs; input++)
        filters[(output * inputs + input) * area + place] = values[(output * area + place) * inputs + input]!
  const dims = isDepthwise ? [inputs, 1, rows, columns] : [outputs, inputs, rows, columns]
  const [, height = 0, width = 0] = tensors[operator.inputs[0]!]!.shape
  const [above, below] = padding === SAME ? padded(height, rows, strideY) : [0, 0]
  const [left, right] = padding === SAME ? padded(width, columns, strideX) : [0, 0]
  return {
    filters: { dims, values: filters },
    attributes: {
      kernel_shape: [rows, columns],
      strides: [strideY, strideX],
      pads: [above, left, below, right],
      group: isDepthwise ? inputs : 1,
    },
  }
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

/** PReLU of x as TensorFlow writes it: relu(x) + half * (x - |x|), where `half` is half of the slope per channel. */
const PRELU = ['RELU', 'ABS', 'SUB', 'MUL', 'ADD']

/** Slopes and output of the PReLU whose first operator is at this place. */
function preluOf({ operators, tensors }: LiteModel, at: number) {
  const found = operators.slice(at, at + PRELU.length)
  const [relu, abs, sub, mul, add] = found
  const half = mul?.inputs.find(input => tensors[input]!.values)
  const feeds = (operator: LiteOperator | undefined, inputs: readonly (number | undefined)[]): boolean =>
    inputs.every(input => operator?.inputs.includes(input!))
  const isPrelu =
    found.map(({ name }) => name).join() === PRELU.join() &&
    feeds(abs, [relu!.inputs[0]]) &&
    sub?.inputs[0] === relu!.inputs[0] &&
    sub?.inputs[1] === abs?.outputs[0] &&
    feeds(mul, [sub?.outputs[0], half]) &&
    feeds(add, [relu!.outputs[0], mul?.outputs[0]])
  if (!isPrelu) throw new Error('a RELU is not part of a PReLU')
  return { slopes: tensors[half!]!.values!.map(value => 2 * value), output: add!.outputs[0]! }
}
