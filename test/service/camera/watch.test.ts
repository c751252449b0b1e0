/** `mien watch` against the real service, with clips and streams of the system's ffmpeg. Skipped without ffmpeg. */

import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import type { ServerResponse } from 'node:http'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { hasFfmpeg, movingClip } from '#test/support/photos/clips.ts'
import { descendantsOf, freePort } from '#test/support/processes.ts'
import { serve } from '#test/support/servers/served.ts'
import { sharedFolder } from '#test/unit/core/folder.ts'
import { expectWhole, newOwner, startWatch, type Visit } from './watching.ts'

const folder = sharedFolder()

/** People on both clips. */
const PEOPLE = 3

/** How long a stream shows them before it fails. */
const VISIT_SECONDS = 4

/** ffmpeg's own server: it sends the clip in real time to the first caller, and ends. */
function broadcast(clip: string, port: number) {
  const output = ['-c', 'copy', '-f', 'mpegts', '-listen', '1', `http://127.0.0.1:${port}/door`]
  const child = spawn('ffmpeg', ['-v', 'error', '-re', '-i', clip, ...output], { stdio: 'ignore' })
  onTestFinished(() => void child.kill('SIGKILL'))
  return child
}

/** Sends a clip within VISIT_SECONDS. */
async function play(name: string, response: ServerResponse) {
  const clip = readFileSync(join(folder, name))
  const step = Math.ceil(clip.length / (10 * VISIT_SECONDS))
  for (let at = 0; at < clip.length; at += step, await sleep(100))
    response.write(clip.subarray(at, at + step))
}

/** How a stream fails after a visit. It stays open unless it ends. */
const FAULTS: Record<string, (response: ServerResponse) => unknown> = {
  end: response => response.end(),
  cut: response => response.destroy(),
  stall: () => {},
  garbage: response => response.write(randomBytes(1_000_000)),
  'another size': response => play('door.ts', response),
}

const middleOf = ({ x1, x2 }: Visit) => (x1 + x2) / 2

describe.skipIf(!hasFfmpeg)('mien watch', { tags: ['long', 'ffmpeg'] }, () => {
  beforeAll(() => {
    movingClip(join(folder, 'door.ts'), { seconds: 6, size: '1200x800', sample: 1 })
    movingClip(join(folder, 'hall.ts'), { seconds: 8, size: '640x480', sample: 3 })
  })

  it('posts one event for each visit, as ROT and ROI say, and stops with a signal', async () => {
    const { token, camera, visits, faces } = newOwner()
    const url = 'door.ts'
    const all = await camera({ url })
    const [interest, tracking] = [
      [600, 800, 0, 0],
      [500, 800, 700, 0],
    ]
    const left = await camera({ url, roi: interest })
    const right = await camera({ url, rot: tracking })
    const watch = startWatch(token, ['--files', folder, '--fps', '2', '--longest', '3'])
    await watch.line('visit posted', all, PEOPLE)
    for (const id of [left, right]) await watch.line('visit posted', id)
    expect(await watch.stop()).toBe(0)

    expect(await visits(all)).toHaveLength(PEOPLE)
    const inside = await visits(left)
    for (const visit of inside) expect(middleOf(visit)).toBeLessThan(600)
    const tracked = await visits(right)
    for (const visit of tracked) expect(middleOf(visit)).toBeGreaterThan(700)

    for (const face of await faces()) {
      const { track, frames, first_seen, last_seen, box, quality } = face.detector_info
      expect(track).toMatch(/^[0-9a-f-]{36}$/)
      expect(frames).toBeGreaterThan(0)
      expect(Date.parse(first_seen)).toBeLessThanOrEqual(Date.parse(last_seen))
      expect(Date.parse(`${face.timestamp}Z`)).toBeGreaterThanOrEqual(Date.parse(first_seen))
      expect(box).toEqual({ x1: face.x1, y1: face.y1, x2: face.x2, y2: face.y2 })
      expect(quality).toBeGreaterThan(0.2)
    }
    expect(watch.output()).not.toContain(url)
  })

  it('posts the visits when the people have left, and others when the stream comes again', async () => {
    const { token, camera, visits, send } = newOwner()
    const port = await freePort()
    broadcast(join(folder, 'hall.ts'), port)
    const url = `http://ann:secret@127.0.0.1:${port}/door`
    const id = await camera({ url })
    const watch = startWatch(token, ['--absence', '2'])
    await watch.line('visit posted', id, PEOPLE)
    expect(await visits(id)).toHaveLength(PEOPLE)
    await watch.line('camera lost', id)
    // Longer than the absence after which a visit ends.
    await sleep(2_500)
    broadcast(join(folder, 'hall.ts'), port)
    await watch.line('visit posted', id, 2 * PEOPLE)
    expect(await visits(id)).toHaveLength(2 * PEOPLE)

    await send('DELETE', `/v1/camera/${id}`)
    await watch.line('camera left', id)
    expect(await watch.stop()).toBe(0)
    expect(watch.output()).not.toMatch(/secret|\/door/)
  })

  it.each(Object.keys(FAULTS))(
    'posts the visits before and after a fault of its stream: %s',
    {
      tags: 'kills',
    },
    async fault => {
      const owner = newOwner()
      const starts: number[] = []
      const url = await serve(async (_, response) => {
        starts.push(Date.now())
        await sleep(500 * Math.random())
        await play('hall.ts', response)
        if (starts.length === 1) await FAULTS[fault]!(response)
      })
      await owner.camera({ url })
      const watch = startWatch(owner.token, ['--fps', '2', '--absence', '2', '--no-early'])
      await vi.waitFor(
        async () => {
          const seen = (await owner.faces()).map(face => face.detector_info)
          for (const visit of [0, 1]) {
            const [start = Number.NaN, end = Number.POSITIVE_INFINITY] = starts.slice(visit)
            const during = seen.filter(
              ({ first_seen, last_seen }) => Date.parse(last_seen) >= start && Date.parse(first_seen) < end,
            )
            expect(during.length, `visit ${visit}`).toBeGreaterThanOrEqual(PEOPLE)
          }
        },
        { timeout: 90_000, interval: 500 },
      )
      expect(await watch.stop()).toBe(0)
      await expectWhole(owner, [watch])
    },
  )

  it.skipIf(process.platform !== 'linux')('follows changes of cameras', async () => {
    const { token, camera, send } = newOwner()
    const watch = startWatch(token, ['--files', folder, '--fps', '1'])
    await watch.line('watching')
    const id = await camera({ url: 'hall.ts' })
    await watch.line('camera open', id)
    const children = () => descendantsOf(watch.pid, 'hall.ts')
    expect(await children()).toHaveLength(1)
    await send('PUT', `/v1/camera/${id}`, { enabled: false })
    await watch.line('camera left', id)
    await vi.waitFor(async () => expect(await children()).toEqual([]), { timeout: 20_000 })
    await send('PUT', `/v1/camera/${id}`, { enabled: true, url: 'missing.ts' })
    await watch.line('camera refused', id)
    await send('PUT', `/v1/camera/${id}`, { url: 'hall.ts' })
    await watch.line('camera open', id, 2)
    expect(await watch.stop()).toBe(0)
  })

  it('ends with a message when the folder of files is missing', async () => {
    const watch = startWatch('mien_unknown', ['--files', join(folder, 'none')])
    expect(await watch.exited).toBe(2)
    expect(watch.output()).toContain(`--files names ${join(folder, 'none')}, which is no folder.`)
  })

  it('ends with a message when the token is unknown', async () => {
    const watch = startWatch('mien_unknown', [])
    expect(await watch.exited).toBe(1)
    expect(watch.output()).toContain('AUTH_FAILED')
  })
})

it('mien watch names the missing program, and the remedy', async () => {
  const watch = startWatch('mien_test', ['--ffmpeg', join(folder, 'ffmpeg')])
  expect(await watch.exited).toBe(1)
  expect(watch.output()).toContain("can't be run. Install ffmpeg")
})
