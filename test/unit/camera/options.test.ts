/** Options of a camera over the settings of its watcher. */
import { describe, expect, it } from 'vitest'
import { settingsOf } from '#camera/options.ts'

const WATCHER = { fps: 5, leastSide: 50, leastQuality: 0.2, absenceMs: 5_000, longestMs: 60_000 }

describe('the options of a camera', () => {
  it('override the settings of the watcher, each by itself', () => {
    expect(settingsOf(WATCHER)).toEqual(WATCHER)
    const all = { fps: 2, min_face: 80, min_quality: 0, absence: 9, longest: 30, liveness: 0.5 }
    expect(settingsOf(WATCHER, all)).toEqual({
      ...{ fps: 2, leastSide: 80, leastQuality: 0, absenceMs: 9_000, longestMs: 30_000, leastLiveness: 0.5 },
    })
    expect(settingsOf({ ...WATCHER, leastLiveness: 0.4 }, { liveness: 0 })).toMatchObject({
      leastLiveness: 0,
    })
  })

  it('turn `early` of the watcher off', () => {
    const early = { ...WATCHER, early: true }
    expect(settingsOf(early).longestMs).toBeLessThan(3_000)
    expect(settingsOf(early, { early: false }).longestMs).toBe(60_000)
  })
})
