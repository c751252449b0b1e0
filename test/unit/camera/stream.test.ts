/** A stream that stays open while its pictures come too late. Skipped without ffmpeg. */

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { keepStream, openPace } from '#camera/stream.ts'
import { hasFfmpeg, movingClip } from '#test/support/photos/clips.ts'
import { serve } from '#test/support/servers/served.ts'
import { temporaryFolder } from '#test/unit/core/folder.ts'

it.skipIf(!hasFfmpeg)(
  'pictures that come later and later keep their times, and the stream is opened again at once',
  { tags: ['long', 'ffmpeg'], timeout: 60_000 },
  async () => {
    const folder = await temporaryFolder()
    movingClip(join(folder, 'clip.ts'), { seconds: 20, size: '320x180' })
    const clip = readFileSync(join(folder, 'clip.ts'))
    let opened = 0
    // The server sends a quarter of a second in each second, and the first two seconds at once.
    const url = await serve(async (_, response) => {
      opened++
      const step = Math.ceil(clip.length / 800)
      for (let at = clip.length / 10; at < clip.length && !response.closed; at += step, await sleep(100))
        response.write(clip.subarray(at === clip.length / 10 ? 0 : at, at + step))
    })
    const stop = new AbortController()
    const lost: string[] = []
    const delays: number[] = []
    const reading = keepStream(
      url,
      { fps: 10 },
      {
        onFrame: (_, time) => void (lost.length === 0 && delays.push(performance.now() - time)),
        onLost: reason => void lost.push(reason),
        log() {},
      },
      stop.signal,
    )
    await vi.waitFor(() => expect([lost[0], opened]).toEqual(['behind', 2]), { timeout: 40_000 })
    stop.abort()
    await reading
    expect(delays.at(-1)).toBeGreaterThan(4_000)
  },
)

it('key frames alone are decoded after late pictures, longer each time, until the stream ends for another reason', () => {
  const pace = openPace()
  pace.adapt('behind', 20_000)
  expect(pace.options()).toMatchObject({ isKeyFramesOnly: true, drift: undefined, silentMs: 60_000 })
  pace.adapt('behind', 20_000)
  expect(pace.options()).toMatchObject({ isKeyFramesOnly: true, drift: undefined })
  pace.adapt('stalled', 15_000)
  expect(pace.options()).toEqual({ isUntimed: false, isKeyFramesOnly: false, drift: undefined })
})

it('a stream that is late once after a long time has a wrong clock from then on, and all its frames are decoded', () => {
  const pace = openPace()
  pace.adapt('behind', 500_000)
  expect(pace.options()).toEqual({ isUntimed: false, isKeyFramesOnly: false, drift: 0.05 })
  pace.adapt('behind', 500_000)
  expect(pace.options()).toMatchObject({ isKeyFramesOnly: true, drift: 0.05 })
})
