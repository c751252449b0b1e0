import { openEstimator, type ShownFace } from '#core/embedding/estimator.ts'
import { STANDARD_PACK } from '#models/packs.ts'
import { times } from '#test/support/times.ts'
import { fivePeople, mirrored, openTestModels, selectedFaces, threePeople } from '#test/support/vision.ts'
import type { SelectedFace } from '#wasm/pipeline.ts'

const ALL = { age: true, gender: true, emotions: true }
const NO_MOODS = { ...ALL, emotions: false }
const { size: SIDE } = STANDARD_PACK.embedder.chip
const LENGTH = SIDE * SIDE * 3

const facesOn = async (people: typeof threePeople) => selectedFaces(await openTestModels(), await people())
const three = facesOn(threePeople)
const five = facesOn(fivePeople)

describe('openEstimator', () => {
  const opening = openEstimator({ threads: 1 })
  afterAll(async () => (await opening).close())

  it('estimates three smiling young women', { tags: 'long' }, async () => {
    for (const { age, gender, emotions } of await (await opening).estimate(await three, ALL)) {
      expect(gender).toBe('female')
      // One of them hardly smiles, so the order of her emotions is not stable.
      expect(emotions).toContain('happy')
      expect(age).toBeGreaterThan(18)
      expect(age).toBeLessThan(45)
    }
  })

  it('estimates the same in WASM, where there is no native binary', async () => {
    const wasm = await openEstimator({ threads: 1, native: false })
    const [a, b] = await Promise.all([
      (await opening).estimate(await three, ALL),
      wasm.estimate(await three, ALL),
    ])
    for (const [i, { age, gender, emotions }] of a.entries()) {
      expect(b[i]).toMatchObject({ gender, age: expect.closeTo(age!, 1) })
      expect(b[i]!.emotions!.toSorted()).toEqual(emotions!.toSorted())
    }
    await wasm.close()
  })

  it('returns only the requested attributes', async () => {
    for (const field of ['age', 'gender', 'emotions']) {
      const asked = { age: false, gender: false, emotions: false, [field]: true }
      const [first] = await (await opening).estimate(await three, asked)
      expect(Object.keys(first!)).toEqual([field])
    }
  })

  it('returns the same for a face at any position of a batch', async () => {
    const { estimate } = await opening
    const [a, b] = await three
    const many = await estimate([...times(8, () => a!), b!, a!], ALL)
    const [first] = await estimate([a!], ALL)
    const [second] = await estimate([b!], ALL)
    expect(many).toHaveLength(10)
    for (const [i, each] of many.entries()) {
      const expected = i === 8 ? second! : first!
      expect(each).toEqual({ ...expected, age: expect.closeTo(expected.age!, 1) })
    }
    expect(first!.age).not.toBeCloseTo(second!.age!, 1)
  })

  it('estimates a mirror image like the face', async () => {
    const [one] = await three
    const [face, image] = await (await opening).estimate([one!, mirroredFace(one!)], ALL)
    // The chip template is not quite symmetric: the two chips differ by a fraction of a pixel.
    expect(image).toEqual({ ...face, age: expect.any(Number) })
    expect(Math.abs(image!.age! - face!.age!)).toBeLessThan(2)
  })

  it('reads age and gender from the chip and emotions from the thumbnail', async () => {
    const { estimate } = await opening
    const [neutral, , happy] = await five
    const [a, b] = await estimate([neutral!, happy!], ALL)
    const [mixed] = await estimate([{ chip: happy!.chip, thumbnail: neutral!.thumbnail }], ALL)
    expect(mixed).toEqual({ ...b, age: expect.closeTo(b!.age!, 1), emotions: a!.emotions })
    expect(a!.emotions).not.toEqual(b!.emotions)
    const chipAlone: ShownFace = { chip: happy!.chip }
    const { emotions, ...rest } = mixed!
    expect(await estimate([chipAlone], NO_MOODS)).toEqual([{ ...rest, age: expect.closeTo(rest.age!, 1) }])
    await expect(estimate([chipAlone], ALL)).rejects.toThrow('thumbnail')
  })

  it('returns no age below 0', async () => {
    const plain = times(16, i => ({ chip: new Uint8Array(LENGTH).fill(i * 17) }))
    for (const { age } of await (await opening).estimate(plain, NO_MOODS))
      expect(age).toBeGreaterThanOrEqual(0)
  })
})

/** The mirror image of a face: its chip, its thumbnail, and its box on the thumbnail. */
function mirroredFace({ chip, thumbnail }: SelectedFace): ShownFace {
  const { data, width, face } = thumbnail
  const image = { x1: width - face.x2, x2: width - face.x1, y1: face.y1, y2: face.y2 }
  return { chip: mirrored(chip, SIDE), thumbnail: { ...thumbnail, data: mirrored(data, width), face: image } }
}
