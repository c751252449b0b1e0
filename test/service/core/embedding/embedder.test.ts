import { ServiceError } from '#contract/errors.ts'
import { openEmbedder } from '#core/embedding/embedder.ts'
import { FOUNDING_QUALITY } from '#core/metadata/persons/template-faces.ts'
import { dot, unitVector } from '#core/vector-store/unit-vector.ts'
import { readModel } from '#models/files.ts'
import type { EmbedderNetwork } from '#models/manifest.ts'
import { STANDARD_PACK } from '#models/packs.ts'
import { times } from '#test/support/times.ts'
import { mirrored, openTestModels, selectedFaces, threePeople } from '#test/support/vision.ts'

const { size: SIDE } = STANDARD_PACK.embedder.chip
const LENGTH = SIDE * SIDE * 3

/** The chips of three people. */
const people = openTestModels().then(async models =>
  (await selectedFaces(models, await threePeople())).map(({ chip }) => chip),
)

const { embedder } = STANDARD_PACK

/** The standard pack with another embedder. */
const packOf = (changes: Partial<typeof embedder>) => ({
  ...STANDARD_PACK,
  embedder: { ...embedder, ...changes },
})

const packWith = (change: (network: EmbedderNetwork) => EmbedderNetwork) =>
  packOf({ networks: embedder.networks.map(change) })

const cosine = (a: Float32Array, b: Float32Array) => dot(unitVector(a), unitVector(b), 0)

/** An embedder with one thread. It is closed after the test. */
async function embedderOfTest(options: Parameters<typeof openEmbedder>[0]) {
  const opened = await openEmbedder({ threads: 1, ...options })
  onTestFinished(opened.close)
  return opened
}

const opening = openEmbedder({ threads: 1 })
afterAll(async () => (await opening).close())

it('openEmbedder returns 128 numbers per chip, independent of the position in the batch', {
  tags: 'long',
}, async () => {
  const { embed } = await opening
  const [first, second] = await people
  const together = await embed([first!, second!, first!])
  const [alone] = await embed([second!])
  expect(together.map(({ length }) => length)).toEqual([128, 128, 128])
  expect(cosine(together[0]!, together[2]!)).toBeCloseTo(1, 5)
  expect(cosine(together[1]!, alone!)).toBeCloseTo(1, 5)
})

it('embeds a face and its mirror image equally when the pack averages both', async () => {
  const { embed } = await embedderOfTest({ pack: packWith(network => ({ ...network, mirrored: true })) })
  const [first] = await people
  const [face, image] = await embed([first!, mirrored(first!, SIDE)])
  expect(cosine(face!, image!)).toBeCloseTo(1, 5)
})

describe('an embedder with two networks', () => {
  const bare = { projection: undefined, clearness: undefined }
  const embedded = async (pack: typeof STANDARD_PACK) => {
    const { embed } = await embedderOfTest({ pack })
    return (await embed([(await people)[0]!]))[0]!
  }

  it('concatenates their unit vectors by weight, and projects the result', async () => {
    const [first, second] = embedder.networks
    const alone = (network: EmbedderNetwork) =>
      embedded(packOf({ ...bare, networks: [network], dimension: network.dimension }))
    const vectors = [unitVector(await alone(first!)), unitVector(await alone(second!))]
    const joined = await embedded(packOf({ ...bare, dimension: 224 }))
    const expected = [
      ...vectors[0]!.map(value => value * first!.weight),
      ...vectors[1]!.map(value => value * second!.weight),
    ]
    expect(Math.hypot(...joined)).toBeCloseTo(1, 5)
    expect(cosine(joined, Float32Array.from(expected))).toBeCloseTo(1, 5)
    const matrix = new Float32Array((await readModel(embedder.projection!.file)).buffer)
    const projected = await embedded(STANDARD_PACK)
    const product = projected.map((_, row) => dot(joined, matrix, 224 * row))
    expect(cosine(projected, product)).toBeCloseTo(1, 5)
  })

  it('gives a covered face a shorter embedding than the same face plain', async () => {
    const { embed } = await opening
    const chips = await people
    const halves = chips.map(chip =>
      chip.map((value, i) => (Math.floor(i / 3) % SIDE < SIDE / 2 ? 90 : value)),
    )
    const [plain, covered] = [await embed(chips), await embed(halves)]
    const lengths = (vectors: readonly Float32Array[]) => vectors.map(vector => Math.hypot(...vector))
    expect(Math.min(...lengths(plain))).toBeGreaterThan(FOUNDING_QUALITY)
    expect(lengths(covered).filter(length => length < FOUNDING_QUALITY).length).toBeGreaterThan(1)
  })

  it.each([
    ['projection', { dimension: 64 }],
    ['regression', { projection: undefined, clearness: embedder.projection!, dimension: 224 }],
  ])('is refused with a %s of another size', async (_, changes) => {
    await expect(openEmbedder({ threads: 1, pack: packOf(changes) })).rejects.toThrow('bytes')
  })
})

it('openEmbedder gives equal embeddings natively and in WASM', async () => {
  const embedders = [await opening, await embedderOfTest({ native: false })]
  const [a, b] = await Promise.all(embedders.map(async ({ embed }) => embed(await people)))
  for (const [i, vector] of a!.entries()) expect(cosine(vector, b![i]!)).toBeCloseTo(1, 6)
})

it('openEmbedder rejects without the model file', async () => {
  const pack = packWith(network => ({ ...network, file: 'missing.onnx' }))
  await expect(openEmbedder({ threads: 1, pack })).rejects.toThrow('missing.onnx')
})

describe('an embedder under load', () => {
  const chips = (count: number) => times(count, () => new Uint8Array(LENGTH))

  it('refuses chips beyond its capacity at once, accepts them later, and embeds them when it is closed', async () => {
    const embedder = await openEmbedder({ threads: 2, room: 4 })
    const under = embedder.embed(chips(3))
    await expect(embedder.embed(chips(2))).rejects.toEqual(new ServiceError('SERVICE_UNAVAILABLE'))
    expect(await under).toHaveLength(3)
    const last = times(4, () => embedder.embed(chips(1)))
    await embedder.close()
    expect((await Promise.all(last)).flat()).toHaveLength(4)
  })

  it('refuses a chip of the wrong size and keeps its capacity', async () => {
    const { embed } = await embedderOfTest({ room: 1 })
    await expect(embed([new Uint8Array(7)])).rejects.toThrow(String(LENGTH))
    expect(await embed([])).toEqual([])
    expect(await embed(chips(1))).toHaveLength(1)
  })
})
