/** Removal of dead channels: the network becomes smaller, and its output stays equal. */
import * as ort from 'onnxruntime-node'
import { describe, expect, it } from 'vitest'
import { withoutDeadChannels } from '#models/convert/dead-channels.ts'
import {
  type Constant,
  type Network,
  type NetworkNode,
  networkFile,
  readNetwork,
} from '#models/convert/onnx/network.ts'

const CHANNELS = 40
const SIDE = 6

/** Different numbers from -1 to 1. */
const numbers = (count: number): Float32Array =>
  Float32Array.from({ length: count }, (_, i) => Math.sin(i * 1.7))

const constant = (...dims: number[]): Constant => ({
  dims,
  values: numbers(dims.reduce((product, size) => product * size, 1)),
})

const node = (
  operator: string,
  inputs: string[],
  output: string,
  attributes: NetworkNode['attributes'] = {},
): NetworkNode => ({ operator, inputs, output, attributes })

/** A block of MobileFaceNet. Only the living channels affect its output. */
function block(living: (channel: number) => boolean): Network {
  const filters = constant(2, CHANNELS, 1, 1)
  for (let i = 0; i < filters.values.length; i++) if (!living(i % CHANNELS)) filters.values[i] = 1e-39
  return {
    nodes: [
      node('Conv', ['input', 'wide', 'wide bias'], 'a', { kernel_shape: [1, 1] }),
      node('PRelu', ['a', 'slopes'], 'b'),
      node('Conv', ['b', 'deep', 'deep bias'], 'c', { kernel_shape: [3, 3], group: CHANNELS }),
      node('PRelu', ['c', 'other slopes'], 'd'),
      node('Conv', ['d', 'narrow', 'narrow bias'], 'output', { kernel_shape: [1, 1] }),
    ],
    constants: new Map([
      ['wide', constant(CHANNELS, 3, 1, 1)],
      ['wide bias', constant(CHANNELS)],
      ['slopes', constant(CHANNELS, 1, 1)],
      ['deep', constant(CHANNELS, 1, 3, 3)],
      ['deep bias', constant(CHANNELS)],
      ['other slopes', constant(CHANNELS, 1, 1)],
      ['narrow', filters],
      ['narrow bias', constant(2)],
    ]),
  }
}

const PORTS = [{ input: [1, 3, SIDE, SIDE] }, { output: [1, 2, SIDE - 2, SIDE - 2] }] as const

async function outputOf(network: Network): Promise<Float32Array> {
  const session = await ort.InferenceSession.create(networkFile('block', network, ...PORTS))
  const input = new ort.Tensor('float32', numbers(3 * SIDE * SIDE), [1, 3, SIDE, SIDE])
  const { output } = await session.run({ input })
  return output!.data as Float32Array
}

describe('withoutDeadChannels', () => {
  it.each([
    { what: 'every third channel', living: (channel: number) => channel % 3 === 0, kept: 16 },
    { what: 'every second channel', living: (channel: number) => channel % 2 === 1, kept: 32 },
    { what: 'the first channel', living: (channel: number) => channel === 0, kept: 16 },
  ])(
    'keeps the output when only $what lives, and keeps a multiple of 16 channels',
    async ({ living, kept }) => {
      const source = block(living)
      const smaller = withoutDeadChannels(source)
      expect(smaller.nodes[2]!.attributes.group).toBe(kept)
      expect(smaller.constants.get('deep')!.dims).toEqual([kept, 1, 3, 3])
      const [expected, actual] = [await outputOf(source), await outputOf(smaller)]
      expect(Math.max(...expected.map(Math.abs))).toBeGreaterThan(0.1)
      for (const [i, value] of expected.entries()) expect(actual[i]).toBeCloseTo(value, 5)
    },
  )

  it('leaves a convolution unchanged that is not depthwise or not followed by PRelu', () => {
    const source = block(channel => channel === 0)
    const ungrouped = source.nodes.map(one => ({ ...one, attributes: {} }))
    expect(withoutDeadChannels({ ...source, nodes: ungrouped })).toEqual({ ...source, nodes: ungrouped })
    const other = source.nodes.map(one => (one.operator === 'PRelu' ? { ...one, operator: 'Sigmoid' } : one))
    expect(withoutDeadChannels({ ...source, nodes: other })).toEqual({ ...source, nodes: other })
  })
})

describe('readNetwork', () => {
  it('reads the file of networkFile back, except for the names of constants', () => {
    const source = block(() => true)
    const { nodes, constants } = readNetwork(networkFile('block', source, ...PORTS))
    expect(nodes.map(({ operator, output, attributes }) => ({ operator, output, attributes }))).toEqual(
      source.nodes.map(({ operator, output, attributes }) => ({ operator, output, attributes })),
    )
    expect([...constants.values()]).toEqual([...source.constants.values()])
  })
})
