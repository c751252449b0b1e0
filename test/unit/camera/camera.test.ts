/** One camera: its options, and with the real analysis (skipped without ffmpeg) dark pictures, a change of size, a region outside. */

import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Analyzer, openAnalyzer } from '#camera/analysis/analyzer.ts'
import { settingsOf, type WatchedCamera, watchCamera, watchedCamera } from '#camera/camera.ts'
import type { VisitEvent } from '#camera/visit-event.ts'
import { ffmpeg, hasFfmpeg, movingClip } from '#test/support/photos/clips.ts'
import { sharedFolder } from '#test/unit/core/folder.ts'

const folder = sharedFolder()

const SETTINGS = {
  files: folder,
  fps: 5,
  leastSide: 50,
  leastQuality: 0.2,
  absenceMs: 5_000,
  longestMs: 60_000,
  early: false,
}

const DAY_MS = 24 * 3_600_000

describe.skipIf(!hasFfmpeg)('a camera', { tags: ['long', 'ffmpeg'] }, () => {
  let analyzer: Analyzer

  beforeAll(async () => {
    movingClip(join(folder, 'small.ts'), { seconds: 2, size: '720x480' })
    movingClip(join(folder, 'large.ts'), { seconds: 2, size: '960x640' })
    const dark = ['-f', 'lavfi', '-i', 'color=black:s=720x480:r=10:d=2', '-c:v', 'mpeg2video']
    ffmpeg(...dark, join(folder, 'dark.ts'))
    analyzer = await openAnalyzer(1)
  })

  afterAll(() => analyzer.close())

  /** Watches clips that follow each other, again and again. */
  function watching(clips: readonly string[], fields: Partial<WatchedCamera> = {}) {
    const url = `${clips.join('-')}.ts`
    writeFileSync(
      join(folder, url),
      Buffer.concat(clips.map(clip => readFileSync(join(folder, `${clip}.ts`)))),
    )
    const names: string[] = []
    const visits: VisitEvent[] = []
    const parts = {
      analyzer,
      onVisit: (event: VisitEvent) => void visits.push(event),
      log: (event: string, facts = {}) =>
        void names.push([event, ...Object.values(facts).slice(1)].join(' ')),
    }
    const watch = watchCamera({ id: 'door', url, ...fields }, SETTINGS, parts)
    const logged = (...expected: string[]) =>
      vi.waitFor(() => expect(names).toEqual(expect.arrayContaining(expected)), { timeout: 25_000 })
    return { watch, visits, names, logged }
  }

  it('that goes dark says so, and continues when it is bright again', async () => {
    const { watch, visits, logged } = watching(['small', 'dark'])
    await logged('camera dark', 'camera bright')
    await watch.stop()
    expect(visits.length).toBeGreaterThan(0)
  })

  it('with faces that are not upright turns its pictures, or logs it without the option', async () => {
    movingClip(join(folder, 'upright.ts'), { seconds: 4, size: '960x640' })
    const encoded = '-vf transpose=clock -c:v mpeg2video -q:v 3'.split(' ')
    ffmpeg('-i', join(folder, 'upright.ts'), ...encoded, join(folder, 'turned.ts'))
    const turned = watching(['turned'], { options: { rotate: 'auto' } })
    const still = watching(['turned'])
    await turned.logged('camera turned 270')
    const until = { timeout: 25_000 }
    await vi.waitFor(() => expect(turned.watch.report()).toMatchObject({ width: 960, turn: 0 }), until)
    await vi.waitFor(() => expect(still.watch.report().turn).toBe(270), until)
    expect(still.names).not.toContain('camera turned 270')
    await Promise.all([turned, still].map(({ watch }) => watch.stop()))
  }, 120_000)

  it('ends its visits while the clock is set a day back or ahead, and dates them by the new time', async () => {
    for (const change of [-DAY_MS, DAY_MS]) {
      const { watch, visits, logged } = watching(['small', 'dark', 'dark'], {
        options: { absence: 1, longest: 3_600 },
      })
      await logged('camera dark')
      const realNow = Date.now
      const clock = vi.spyOn(Date, 'now').mockImplementation(() => realNow() + change)
      const before = visits.length
      try {
        await vi.waitFor(() => expect(visits.length).toBeGreaterThan(before), { timeout: 25_000 })
        for (const { time } of visits.slice(before))
          expect(Math.abs(Date.parse(time) - Date.now())).toBeLessThan(DAY_MS / 2)
      } finally {
        clock.mockRestore()
        await watch.stop()
      }
    }
  })

  it('that changes its size is read again, with boxes in pixels of the new size', async () => {
    const { watch, logged } = watching(['small', 'large'])
    await logged('camera open 720 480', expect.stringContaining('camera lost resized'))
    await watch.stop()
  })

  it('with a region of tracking outside its picture says so, and takes another region', async () => {
    const { watch, visits, logged } = watching(['large'], {
      rot: [100, 100, 5_000, 0],
      options: { early: true },
    })
    await logged('camera outside')
    watch.change({ ...watch.camera, rot: [960, 640, 0, 0] })
    await vi.waitFor(() => expect(visits.length).toBeGreaterThan(0), { timeout: 25_000 })
    await watch.stop()
  })
})

const camera = { id: 'a', url: 'rtsp://door/1', enabled: true }

it('a camera of the API is watched if it is enabled, has a URL, and is assigned to this watcher', () => {
  expect(watchedCamera(camera, undefined)).toEqual({ id: 'a', url: 'rtsp://door/1' })
  expect(watchedCamera({ ...camera, detector: 'hall' }, 'hall')).toBeDefined()
  expect(watchedCamera({ ...camera, enabled: false }, undefined)).toBeUndefined()
  expect(watchedCamera({ ...camera, url: '' }, undefined)).toBeUndefined()
  expect(watchedCamera({ ...camera, detector: 'hall' }, undefined)).toBeUndefined()
  expect(watchedCamera(camera, 'hall')).toBeUndefined()
})

it('the options of a camera override the settings of the watcher, each by itself', () => {
  expect(settingsOf(SETTINGS)).toEqual(SETTINGS)
  const all = { fps: 2, min_face: 80, min_quality: 0, absence: 9, longest: 30, liveness: 0.5 }
  expect(settingsOf({ ...SETTINGS, early: true }, all)).toEqual({
    fps: 2,
    leastSide: 80,
    leastQuality: 0,
    absenceMs: 9_000,
    longestMs: 30_000,
    leastLiveness: 0.5,
    early: true,
    files: folder,
  })
  expect(settingsOf({ ...SETTINGS, leastLiveness: 0.4 }, { liveness: 0 })).toMatchObject({
    leastLiveness: 0,
  })
})

it('an analyzer that is closed during analyses waits for all of them', { tags: 'long' }, async () => {
  const analyzer = await openAnalyzer(2)
  const found = [64, 1_280].map(width => {
    const frame = { data: new Uint8Array(width * width * 3), width, height: width }
    return analyzer.analyze(() => ({ frame, leastSide: 50, wanted: 'all' }))
  })
  await analyzer.close()
  expect(await Promise.all(found)).toEqual([[], []])
})
