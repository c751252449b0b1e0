import { FACE_LIMITS } from '#contract/limits/faces.ts'
import { type Preparations, type PreparedFace, preparations } from '#core/operations/faces/preparations.ts'
import { OTHER_OWNER, OWNER } from '#test/support/sample-faces.ts'

const PIXELS = { thumbnail: new Uint8Array(), normalized: new Uint8Array() }
const face = (value: number): PreparedFace => ({
  embedding: Float32Array.of(value),
  attributes: {},
  pictures: PIXELS,
})

let held: Preparations
beforeEach(() => {
  held = preparations()
})

const prepare = (id: string, owner = OWNER) => {
  held.hold(owner, id)
  held.add(owner, id, 1, [face(2), face(3)])
  held.add(owner, id, 0, [face(1)])
}
const unavailable = expect.objectContaining({ code: 'SERVICE_UNAVAILABLE' })

it('a preparation gives its faces in their order, once', () => {
  prepare('one')
  const values = held.take(OWNER, 'one', 3).map(({ embedding }) => embedding[0])
  expect(values).toEqual([1, 2, 3])
  expect(() => held.take(OWNER, 'one', 3)).toThrow(unavailable)
})

it.each([
  ['of another owner', () => held.take(OTHER_OWNER, 'one', 3)],
  ['of another id', () => held.take(OWNER, 'two', 3)],
  ['without a group', () => held.take(OWNER, 'one', 4)],
])('a preparation %s is refused with SERVICE_UNAVAILABLE', (_, take) => {
  prepare('one')
  expect(take).toThrow(unavailable)
})

it('a preparation is forgotten a minute after its last message, and late faces of it are not kept', () => {
  vi.useFakeTimers()
  try {
    prepare('one')
    vi.advanceTimersByTime(FACE_LIMITS.preparedMs - 1)
    held.hold(OWNER, 'one')
    vi.advanceTimersByTime(FACE_LIMITS.preparedMs)
    held.add(OWNER, 'one', 0, [face(1), face(2), face(3)])
    expect(() => held.take(OWNER, 'one', 3)).toThrow(unavailable)
  } finally {
    vi.useRealTimers()
  }
})

it('an owner has at most half of the preparations, and gets a place back with the end of one', () => {
  for (let i = 0; i < FACE_LIMITS.preparations / 2; i++) prepare(`${i}`)
  expect(() => held.hold(OWNER, 'more')).toThrow(unavailable)
  prepare('more', OTHER_OWNER)
  expect(() => held.hold(OWNER, '1')).not.toThrow()
  held.take(OWNER, '1', 3)
  expect(() => held.hold(OWNER, 'more')).not.toThrow()
})
