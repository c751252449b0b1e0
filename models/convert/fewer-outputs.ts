/** Reduces the outputs of an embedder to the independent ones, without data. */
import { type Constant, type Network, newNode } from './onnx/network.ts'

/**
 * The same network with `dimension` outputs: its last convolution is multiplied by an orthonormal projection onto the principal
 * directions of its weights. Flattens the result to `output`. Cosines stay when the weights have no larger rank. Throws an Error
 * when the network does not end with a convolution and a reshape.
 */
export function withFewerOutputs({ nodes, constants }: Network, dimension: number): Network {
  const [last, reshape] = nodes.slice(-2)
  if (last?.operator !== 'Conv' || !['Reshape', 'Flatten'].includes(reshape?.operator ?? ''))
    throw new Error('the embedder does not end with a convolution')
  const [, filters = '', bias = ''] = last.inputs
  const [rows = 0, inputs = 0] = constants.get(filters)!.dims
  const basis = principalSubspace(Float64Array.from(constants.get(filters)!.values), rows, dimension)
  return {
    nodes: [...nodes.slice(0, -1), newNode('Flatten', [last.output], 'output')],
    constants: new Map([
      ...constants,
      [filters, { dims: [dimension, inputs, 1, 1], values: projected(constants.get(filters)!, basis) }],
      [bias, { dims: [dimension], values: projected(constants.get(bias)!, basis) }],
    ]),
  }
}

/** The basis times a matrix (or vector) whose columns are as long as its vectors. */
function projected({ values }: Constant, basis: readonly Vector[]): Float32Array {
  const rows = basis[0]!.length
  const columns = values.length / rows
  const column = (at: number) => Float64Array.from({ length: rows }, (_, row) => values[row * columns + at]!)
  const all = Array.from({ length: columns }, (_, at) => column(at))
  return Float32Array.from(basis.flatMap(vector => all.map(one => innerProduct(vector, one))))
}

/** Doubles only: they represent float32 inputs exactly, and a single array type keeps the loops fast. */
type Vector = Float64Array<ArrayBuffer>

/**
 * Rounds of subspace iteration. After 8 rounds, the subspace of fr_feature's last layer leaves out 0.4457 of the
 * matrix's norm of 23.76; the best possible subspace leaves out 0.4456.
 */
const ROUNDS = 8

/**
 * `count` orthonormal vectors of length `rows` that span the principal left singular directions of a `rows` x
 * `columns` matrix in row-major order. It uses only +, -, x, / and square root in a fixed order. IEEE 754 defines
 * these exactly: equal matrices give equal bits. `count` must not exceed the matrix's rank.
 */
function principalSubspace(matrix: Float64Array, rows: number, count: number): Vector[] {
  const products = rowProducts(matrix, rows)
  let basis = orthonormal(products.slice(0, count))
  for (let round = 0; round < ROUNDS; round++)
    basis = orthonormal(basis.map(vector => Float64Array.from(products, row => innerProduct(row, vector))))
  return basis
}

/** The matrix times its transpose, as rows. */
function rowProducts(matrix: Float64Array, rows: number): Vector[] {
  const columns = matrix.length / rows
  const rowOf = (row: number) => matrix.subarray(row * columns, (row + 1) * columns)
  return Array.from({ length: rows }, (_, i) =>
    Float64Array.from({ length: rows }, (_, j) => innerProduct(rowOf(i), rowOf(j))),
  )
}

/** Modified Gram-Schmidt with two passes. The second pass removes rounding errors of the first. */
function orthonormal(vectors: readonly Vector[]): Vector[] {
  const basis: Vector[] = []
  for (const vector of vectors) {
    const rest = Float64Array.from(vector)
    for (const direction of [...basis, ...basis]) {
      const length = innerProduct(direction, rest)
      for (let i = 0; i < rest.length; i++) rest[i]! -= length * direction[i]!
    }
    const length = Math.sqrt(innerProduct(rest, rest))
    basis.push(rest.map(value => value / length))
  }
  return basis
}

/** The sum of a[i] b[i], added in index order. */
function innerProduct(a: Float64Array, b: Float64Array) {
  let sum = 0
  for (let i = 0; i < a.length; i++) sum += a[i]! * b[i]!
  return sum
}
