import { afterAll, describe, expect, it } from 'vitest'
import { EMOTIONS } from '../../../core/contract/attributes.ts'
import { openEstimator } from '../../../core/embedding/estimator.ts'
import { STANDARD } from '../../../models/manifest.ts'
import { look } from '../../../wasm/look.ts'
import { fivePeople, openTestEyes, threePeople } from '../../wasm/seeing.ts'

const ALL = { age: true, gender: true, emotions: true }
const LENGTH = 150 * 150 * 3

/** The chips of a photo's people, in reading order. */
async function chipsOf(photo: Uint8Array<ArrayBuffer>): Promise<Uint8Array[]> {
  const options = { budget: 2 ** 30, param: 'photo' }
  const { selected } = await look(await openTestEyes(), photo, { selector: 'all', boxes: [] }, options)
  return selected.map(({ chip }) => chip)
}

const three = threePeople().then(chipsOf)
const five = fivePeople().then(chipsOf)

describe.each([
  { name: 'natively', native: true },
  { name: 'in WASM, where there is no native binary', native: false },
])('estimating $name', ({ native }) => {
  const opening = openEstimator({ threads: 1, native })
  afterAll(async () => (await opening).close())

  it('sees three smiling young women', async () => {
    for (const { age, gender, emotions } of await (await opening).estimate(await three, ALL)) {
      expect({ gender, mood: emotions![0] }).toEqual({ gender: 'female', mood: 'happy' })
      expect(age).toBeGreaterThan(18)
      expect(age).toBeLessThan(45)
    }
  })

  it.each([
    [{ age: true, gender: false, emotions: false }, ['age']],
    [{ age: false, gender: true, emotions: false }, ['gender']],
    [{ age: false, gender: false, emotions: true }, ['emotions']],
    [ALL, ['age', 'emotions', 'gender']],
  ])('tells what is asked for and nothing else: %o', async (asked, fields) => {
    const [first] = await (await opening).estimate(await three, asked)
    expect(Object.keys(first!).sort()).toEqual(fields)
  })

  it('names two different emotions of the contract', async () => {
    for (const { emotions } of await (await opening).estimate(await five, ALL)) {
      expect(new Set(emotions).size).toBe(2)
      expect(EMOTIONS).toEqual(expect.arrayContaining(emotions!))
    }
  })

  it('says the same of the same chip wherever it stands, and keeps the order of many', async () => {
    const { estimate } = await opening
    const [a, b] = await three
    const many = await estimate([...Array.from({ length: 8 }, () => a!), b!, a!], ALL)
    const [first] = await estimate([a!], ALL)
    const [second] = await estimate([b!], ALL)
    expect(many).toHaveLength(10)
    for (const [i, each] of many.entries()) {
      const expected = i === 8 ? second! : first!
      expect(each).toEqual({ ...expected, age: expect.closeTo(expected.age!, 1) })
    }
    expect(first!.age).not.toBeCloseTo(second!.age!, 1)
  })
})

it('says of a mirror image what it says of the face', async () => {
  const { estimate, close } = await openEstimator({ threads: 1 })
  const [chip] = await three
  const [face, image] = await estimate([chip!, mirrored(chip!)], ALL)
  expect(image).toEqual({ ...face, age: expect.closeTo(face!.age!, 0) })
  await close()
})

it('has no age below 0', async () => {
  const { estimate, close } = await openEstimator({ threads: 1 })
  const plain = Array.from({ length: 16 }, (_, i) => new Uint8Array(LENGTH).fill(i * 17))
  for (const { age } of await estimate(plain, ALL)) expect(age).toBeGreaterThanOrEqual(0)
  await close()
})

it('does not open without its models', async () => {
  const { attributes, embedder } = STANDARD
  const pack = {
    embedder,
    attributes: { ...attributes, emotion: { ...attributes.emotion, file: 'nobody.onnx' } },
  }
  await expect(openEstimator({ threads: 1, pack })).rejects.toThrow('nobody.onnx')
})

const mirrored = (chip: Uint8Array): Uint8Array =>
  chip.map((_, i) => {
    const [row, column, channel] = [Math.floor(i / 3 / 150), Math.floor(i / 3) % 150, i % 3]
    return chip[(row * 150 + (149 - column)) * 3 + channel]!
  })
