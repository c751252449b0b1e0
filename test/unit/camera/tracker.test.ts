/** Visits of people in front of a camera: tracks, their best pictures, and when they are reported. */

import { openTracker, type SeenFace, type Track } from '#camera/tracker.ts'
import { times } from '#test/support/times.ts'

const SETTINGS = { absenceMs: 5_000, longestMs: 60_000 }

/** Unit vectors of people. The cosine of two people is 0, and `turned` lowers the cosine of one person. */
const embedding = (person: number, turned = 0) => {
  const vector = new Float32Array(16)
  vector[person] = Math.cos(turned)
  vector[15] = Math.sin(turned)
  return vector
}

interface Sight {
  person: number
  x?: number
  quality?: number
  turned?: number
}

const face = ({ person, x = 100 * person, quality = 0.8, turned = 0 }: Sight): SeenFace => ({
  box: { x1: x, y1: 50, x2: x + 60, y2: 130 },
  quality,
  roll: 0,
  embedding: embedding(person, turned),
})

let tracker: ReturnType<typeof openTracker<number>>
beforeEach(() => {
  tracker = openTracker(SETTINGS)
})

/** Sees these people, one frame each 200 ms from `start`. The shot of a face is its quality. */
function watch(frames: readonly Sight[][], start = 0, isShown = true) {
  for (const [i, sights] of frames.entries())
    tracker.see(sights.map(face), start + 200 * i, ({ quality }) => (isShown ? quality : undefined))
}

const framesOf = (tracks: readonly Track<number>[]) => tracks.map(({ frames }) => frames).sort()

const repeated = (count: number, sights: Sight[]) => times(count, () => sights)

describe('a visit', () => {
  it('continues when the person turns, by the box, and when the person jumps, by the embedding', () => {
    watch([[{ person: 1, x: 0 }], [{ person: 1, x: 8, turned: 1.3 }], [{ person: 1, x: 400 }]])
    expect(framesOf(tracker.end())).toEqual([3])
  })

  it('stays with its person when two people cross', () => {
    watch(
      times(21, i => [
        { person: 1, x: 10 * i },
        { person: 2, x: 200 - 10 * i },
      ]),
    )
    const tracks = tracker.end()
    expect(framesOf(tracks)).toEqual([21, 21])
    expect(tracks.map(({ box }) => box.x1).sort()).toEqual([0, 200])
  })

  it('does not join blurred faces far apart, because their embeddings say little', () => {
    const blurred = (x: number) => repeated(2, [{ person: 1, x, quality: 0.01 }])
    watch([...blurred(0), ...blurred(500)])
    expect(framesOf(tracker.end())).toEqual([2, 2])
  })

  it('is reported once, when the person has been away', () => {
    watch(repeated(5, [{ person: 1 }]))
    expect(tracker.due(5_800)).toEqual([])
    expect(tracker.due(5_801)).toHaveLength(1)
    expect(tracker.due(60_000)).toEqual([])
    watch(repeated(5, [{ person: 1 }]), 70_000)
    expect(tracker.due(80_000)).toHaveLength(1)
  })

  it('is reported once when it is long, and not again at its end', () => {
    watch(repeated(302, [{ person: 1 }]))
    expect(tracker.due(60_200)).toHaveLength(1)
    watch(repeated(10, [{ person: 1 }]), 60_400)
    expect([...tracker.due(120_000), ...tracker.end()]).toEqual([])
  })

  it('is reported early, and again with a better picture, not more often than every two seconds', () => {
    tracker = openTracker({ ...SETTINGS, earlyMs: 600 })
    const seen: [number, string][] = []
    const made: number[] = []
    const qualities = [0.1, 0.3, 0.32, 0.35, 0.34, ...Array(10).fill(0.7), ...Array(10).fill(0.74), 0.9]
    for (const [i, quality] of qualities.entries()) {
      tracker.see([face({ person: 1, quality })], 200 * i, face => {
        if (face.quality < 0.2) return undefined
        made.push(face.quality)
        return face.quality
      })
      for (const { best, isUpdate } of tracker.due(200 * i)) seen.push([200 * i, `${best!.shot} ${isUpdate}`])
    }
    expect(seen).toEqual([
      [800, '0.35 false'],
      [2_800, '0.7 true'],
      [5_000, '0.9 true'],
    ])
    expect(made).toEqual([0.3, 0.32, 0.35, 0.7, 0.9])
    expect(tracker.end()).toEqual([])
  })

  it('has the frame with the best quality, with its time', () => {
    watch([
      [{ person: 1, quality: 0.4 }],
      [{ person: 1, quality: 0.9 }],
      [{ person: 1, quality: 0.905 }],
      [{ person: 1, quality: 0.6 }],
    ])
    const [track] = tracker.end()
    expect(track).toMatchObject({ first: 0, last: 600, best: { shot: 0.9, time: 200 } })
  })

  it('is not reported without a picture in the region of interest, nor for a single poor frame', () => {
    watch(repeated(5, [{ person: 1 }]), 0, false)
    watch([[{ person: 2, quality: 0.4 }]], 1_000)
    expect(tracker.end()).toEqual([])
    watch([[{ person: 2, quality: 0.6 }]], 2_000)
    expect(framesOf(tracker.end())).toEqual([1])
  })

  it('continues while the picture does not change', () => {
    watch([[{ person: 1 }, { person: 2 }], [{ person: 1 }, { person: 2 }], [{ person: 1 }]])
    for (let time = 600; time <= 20_000; time += 200) tracker.stillThere(time)
    expect(tracker.due(20_000)).toMatchObject([{ last: 200 }])
    expect(tracker.end()).toMatchObject([{ last: 20_000 }])
  })
})
