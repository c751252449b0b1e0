/** Networks in parts: bitwise equal results, with pauses between the parts. And the release of all networks of a runtime. */
import { expect, it } from 'vitest'
import { buildModels } from '#commands/build/models.ts'
import { readModel } from '#models/files.ts'
import { splitNetwork } from '#wasm/runtime/network-parts.ts'
import { readGraph } from '#wasm/runtime/onnx-graph.ts'
import { openRuntime } from '#wasm/runtime/runtime.node.ts'
import { releasable } from '#wasm/runtime/runtime.ts'

await buildModels()
const runtime = await openRuntime()

const pictureOf = (width: number, height: number) => ({
  data: Float32Array.from({ length: 3 * width * height }, (_, i) => Math.sin(i * i)),
  dims: [1, 3, height, width],
})

/** Two networks in parts with several picture sizes, and one that stays whole. */
const NETWORKS: readonly { file: string; sizes: [number, number][]; inParts: boolean }[] = [
  {
    file: 'blazeface.onnx',
    sizes: [
      [128, 96],
      [320, 224],
    ],
    inParts: true,
  },
  {
    file: 'ssd.onnx',
    sizes: [
      [96, 160],
      [288, 224],
    ],
    inParts: true,
  },
  { file: 'landmarks68.onnx', sizes: [[112, 112]], inParts: false },
]

it.each(NETWORKS)(
  'a paced session of $file returns bitwise the same outputs as an unpaced one',
  { tags: 'long' },
  async ({ file, sizes, inParts }) => {
    const model = await readModel(file)
    const [input = ''] = readGraph(model).inputs.keys()
    let announced: number[] = []
    const pace = async (work: number) => void announced.push(work)
    const whole = await runtime.session(model)
    const paced = await runtime.session(model, { pace, inParts })
    for (const [width, height] of sizes) {
      announced = []
      const picture = pictureOf(width, height)
      const given = await paced.run({ [input]: picture })
      expect(given).toEqual(await whole.run({ [input]: picture }))
      expect(announced).toHaveLength(splitNetwork(model, inParts).length)
      expect(announced.length > 1).toBe(inParts)
      expect(Math.min(...announced)).toBeGreaterThan(0)
    }
  },
)

it('splitNetwork returns parts with less than a fifth of the work each', async () => {
  for (const file of ['blazeface.onnx', 'ssd.onnx']) {
    const works = splitNetwork(await readModel(file), true).map(({ microsecondsPerPixel: work }) => work)
    const total = works.reduce((sum, work) => sum + work, 0)
    expect(Math.max(...works)).toBeLessThan(total / 5)
  }
})

it('releasable releases each session once', async () => {
  const released: number[] = []
  const session = async (model: Uint8Array) => ({
    run: async () => ({}),
    release: async () => void released.push(model.length),
  })
  const { runtime: counted, release } = releasable({ session })
  for (const length of [1, 2]) await counted.session(new Uint8Array(length))
  await release()
  await release()
  expect(released).toEqual([1, 2])
})
