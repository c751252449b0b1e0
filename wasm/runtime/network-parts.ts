/** Splits networks into parts that run one after the other and leave the thread free in between. */
import { type Graph, type Node, readGraph } from './onnx-graph.ts'

/** A part of a network. */
export interface Part {
  /** An ONNX file. Its inputs are those of the network, or the outputs of the previous part. */
  readonly model: Uint8Array
  /** Names of its outputs that are outputs of the network. */
  readonly results: readonly string[]
  /** Estimated microseconds per pixel of the network's input. */
  readonly microsecondsPerPixel: number
}

/**
 * Maximum microseconds per pixel for a part, unless a single layer takes more: 12 ms for the 0.3 Mpx of a second
 * pass.
 */
const MOST_WORK = 0.04

/** Microseconds per multiplication of a convolution and per output value of a layer. Measured. */
const MULTIPLY_US = 0.00006
const VALUE_US = 0.001

/**
 * Operators that map a float picture to a float picture. Cuts are made only where the value that crosses comes from
 * these.
 */
const PICTURES = new Set(
  (
    'Add AveragePool BatchNormalization Clip Concat Conv ConvTranspose HardSigmoid HardSwish LeakyRelu MaxPool Mul Pad PRelu ' +
    'Relu Resize Sigmoid Sub Upsample'
  ).split(' '),
)

/** A value that is a picture. */
interface Picture {
  readonly channels: number
  /** Pixels, as a fraction of the pixels of the network's input. */
  readonly area: number
}

/**
 * The parts of a network in execution order. The result is the network itself when it cannot be cut or `mayCut` is
 * false. Cuts lie in front of convolutions, where exactly one picture crosses. The runtime may still use another
 * memory layout for the first layers of a part than in the whole network, and round sums differently:
 * docs/decisions/0003-photos.md#scheduling.
 */
export function splitNetwork(model: Uint8Array, mayCut: boolean): Part[] {
  const graph = readGraph(model)
  const fixed = fixedNodes(graph)
  const nodes = graph.nodes.filter(node => !fixed.has(node))
  const { pictures, work } = estimateNodes(graph, nodes)
  const starts = mayCut && !nodes.some(({ hasGraph }) => hasGraph) ? cuts(graph, nodes, pictures, work) : [0]
  const workOf = (start: number, end: number) => work.slice(start, end).reduce((sum, one) => sum + one, 0)
  if (starts.length === 1) {
    return [{ model, results: [...graph.outputs.keys()], microsecondsPerPixel: workOf(0, nodes.length) }]
  }
  return starts.map((start, i) => {
    const end = starts[i + 1] ?? nodes.length
    return { ...partOf(graph, nodes, start, end, fixed), microsecondsPerPixel: workOf(start, end) }
  })
}

/** Nodes that depend only on constants, for example on compressed weights. */
function fixedNodes({ nodes, constants }: Graph): Set<Node> {
  const known = new Set(['', ...constants.keys()])
  const fixed = new Set<Node>()
  for (const node of nodes) {
    if (!node.inputs.every(name => known.has(name))) continue
    fixed.add(node)
    for (const name of node.outputs) known.add(name)
  }
  return fixed
}

/** The values that are pictures, and the estimated cost of each node. */
function estimateNodes(graph: Graph, nodes: readonly Node[]) {
  const pictures = new Map<string, Picture>(
    [...graph.inputs.keys()].map(name => [name, { channels: 3, area: 1 }]),
  )
  const work = nodes.map(node => {
    const shown = pictures.get(node.inputs[0] ?? '')
    if (!shown || !PICTURES.has(node.operator)) return 0
    const weights = weightsOf(graph, node)
    const [across = 1, down = 1] = node.integers.strides ?? []
    const area = shown.area / (across * down)
    const channels = weights.length > 0 ? weights[0]! : shown.channels
    for (const name of node.outputs) pictures.set(name, { channels, area })
    const multiplications = weights.reduce((product, size) => product * size, 1)
    return area * (multiplications * MULTIPLY_US + channels * VALUE_US)
  })
  return { pictures, work }
}

/** Shape of a convolution's weights, also when other nodes decompress them; empty for other nodes. */
function weightsOf(graph: Graph, node: Node): readonly number[] {
  if (node.operator !== 'Conv') return []
  let name = node.inputs[1]
  while (name !== undefined) {
    const constant = graph.constants.get(name)
    if (constant) return constant.dims
    const given: string = name
    name = graph.nodes.find(({ outputs }) => outputs.includes(given))?.inputs[0]
  }
  return []
}

/** Indices of the nodes at which parts begin. */
function cuts(
  graph: Graph,
  nodes: readonly Node[],
  pictures: ReadonlyMap<string, Picture>,
  work: readonly number[],
): number[] {
  const starts = [0]
  let sum = 0
  for (let i = 0; i < nodes.length; i++) {
    const next = nodes.findIndex((node, j) => j > i && node.operator === 'Conv')
    const ahead = work.slice(i, next < 0 ? nodes.length : next).reduce((total, one) => total + one, 0)
    if (i > 0 && nodes[i]!.operator === 'Conv' && sum + ahead > MOST_WORK) {
      const crossing = crossingValues(graph, nodes, i)
      if (crossing.length === 1 && pictures.has(crossing[0]!)) {
        starts.push(i)
        sum = 0
      }
    }
    sum += work[i]!
  }
  return starts
}

/** Values made before this node that it or a later node uses. */
function crossingValues(graph: Graph, nodes: readonly Node[], at: number): string[] {
  const made = new Set([...graph.inputs.keys(), ...nodes.slice(0, at).flatMap(node => node.outputs)])
  return [...new Set(nodes.slice(at).flatMap(node => node.inputs))].filter(name => made.has(name))
}

function partOf(
  graph: Graph,
  nodes: readonly Node[],
  start: number,
  end: number,
  fixed: ReadonlySet<Node>,
): Omit<Part, 'microsecondsPerPixel'> {
  const own = nodes.slice(start, end)
  const made = new Set(own.flatMap(node => node.outputs))
  const usedLater = new Set(nodes.slice(end).flatMap(node => node.inputs))
  const inputs = crossingValues(graph, nodes.slice(0, end), start)
  const outputs = [...made].filter(name => usedLater.has(name) || graph.outputs.has(name))
  return {
    model: graph.file(withFixed(graph, own, fixed), inputs, outputs),
    results: outputs.filter(name => graph.outputs.has(name)),
  }
}

/** The nodes, preceded by the constant nodes that they need. */
function withFixed(graph: Graph, own: readonly Node[], fixed: ReadonlySet<Node>): Node[] {
  const needed = new Set(own.flatMap(node => node.inputs))
  const before = graph.nodes
    .filter(node => fixed.has(node))
    .toReversed()
    .filter(node => {
      if (!node.outputs.some(name => needed.has(name))) return false
      for (const name of node.inputs) needed.add(name)
      return true
    })
  return [...before.reverse(), ...own]
}
