/** A watcher and core that are killed at any moment: no acknowledged event is lost or under two ids, and no file is half. Skipped without ffmpeg. */
import { randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { inject } from 'vitest'
import { openSender } from '#camera/footage/sender.ts'
import { openOutbox } from '#camera/outbox.ts'
import { MienClient } from '#clients/typescript/src/index.ts'
import { CAMERA_LIMITS } from '#contract/limits/cameras.ts'
import type { Log } from '#core/log.ts'
import { form, sample } from '#test/support/client.ts'
import { ffmpeg, hasFfmpeg, movingClip } from '#test/support/photos/clips.ts'
import { expectVerified } from '#test/support/typed.ts'
import { sharedFolder, temporaryFolder } from '#test/unit/core/folder.ts'
import { expectWhole, type Line, newOwner, startWatch } from '../service/camera/watching.ts'
import { faultyProxy } from '../service/core/pictures/faulty-proxy.ts'
import { startEdge } from '../service/edge/edge-process.ts'
import { startCore } from '../unit/core/core-process.ts'

const folder = sharedFolder()
const PIECE = CAMERA_LIMITS.recordingPieceBytes
const OPTIONS = { snapshot: true, clip: true }
const TAGS = ['long', 'ffmpeg', 'kills']

describe.skipIf(!hasFfmpeg)('events of a camera', { tags: TAGS, timeout: 600_000 }, () => {
  beforeAll(() => {
    movingClip(join(folder, 'door.ts'), { seconds: 6, size: '640x480' })
    const whole = ['-c', 'copy', '-movflags', 'frag_keyframe+empty_moov']
    ffmpeg('-i', join(folder, 'door.ts'), ...whole, join(folder, 'door.mp4'))
  })

  it('are whole when their watcher is killed during a visit, while it sends events or files, and while events wait', async () => {
    const owner = newOwner()
    const id = await owner.camera({ url: 'door.ts', options: OPTIONS })
    const proxy = await faultyProxy(inject('edge'))
    const args = ['--files', folder, '--fps', '2', '--threads', '1', '--longest', '3']
    const watchers: ReturnType<typeof startWatch>[] = []
    const kill = async (reach: (watch: ReturnType<typeof startWatch>) => Promise<unknown>) => {
      const watch = startWatch(owner.token, args, proxy.origin)
      watchers.push(watch)
      await reach(watch)
      await sleep(1_000 * Math.random())
      await watch.stop('SIGKILL')
      const { watcher } = await watch.line('watching')
      // The next one need not wait for the end of the lease.
      await owner.send('DELETE', `/v1/camera/${id}/lease`, { watcher })
    }
    await kill(watch => watch.line('camera open', id))
    for (const [asked, fate] of [
      [/^POST .*\/face$/, 'slow'],
      [/^POST .*\/face$/, 503],
      [/^PUT .*\/snapshot$/, 'slow'],
      [/^PUT .*\/clip$/, 'slow'],
    ] as const) {
      proxy.asked.length = 0
      proxy.decide(({ method, url }) => (asked.test(`${method} ${url}`) ? fate : 'well'))
      await kill(() =>
        vi.waitFor(() => expect(proxy.asked).toContainEqual(expect.stringMatching(asked)), {
          timeout: 60_000,
        }),
      )
    }
    const next = startWatch(owner.token, args)
    await next.line('footage sent', id, 2)
    expect(await next.stop()).toBe(0)
    await expectWhole(owner, [...watchers, next])
  })

  it('and pieces of a recording are stored once and whole when core is killed', async () => {
    const data = await temporaryFolder()
    const first = startCore(data)
    const port = String(await first.port)
    const edge = await startEdge(data, [`http://127.0.0.1:${port}`])
    const owner = newOwner('camera', { edge, data })
    const id = await owner.camera({ options: OPTIONS })
    const client = new MienClient({ url: edge, token: owner.token, retries: 0 })
    const told: Line[] = []
    const log: Log = (event, facts) => void told.push({ event, ...facts })
    const lines = (name: string) => told.filter(({ event }) => event === name)
    const sender = openSender(client, log)
    const outbox = openOutbox(client, log, { onEnd: sender.posted })
    const photo = await sample(1)
    const seen = {
      box: { x1: 1467, y1: 227, x2: 1675, y2: 428 },
      frames: 2,
      quality: 0.5,
      time: '2026-01-01T00:00:00Z',
      firstSeen: '',
      lastSeen: '',
    }
    const clip = [readFileSync(join(folder, 'door.mp4'))]
    const bytes = randomBytes(3 * PIECE + 1_000)
    const recording = { start: '2026-01-01T00:00:00.000000', size: bytes.length }
    const put = async (at: number): Promise<number> => {
      const piece = new Uint8Array(bytes.subarray(at, at + PIECE))
      const fields = { start: recording.start, size: String(bytes.length), at: String(at), piece }
      const { status, body } = await owner.send('PUT', `/v1/camera/${id}/recording`, form(fields))
      return status === 200 ? body.received : at
    }
    await client.viewers()[Symbol.asyncIterator]().next()
    let stored = await put(0)
    expect(stored).toBe(PIECE)
    const upload = async () => {
      for (; stored < bytes.length; await sleep(100)) {
        const received = await put(stored)
        expect(received).toBeGreaterThanOrEqual(stored)
        stored = received
      }
    }
    for (const track of ['a', 'b', 'c', 'd']) {
      const event = { ...seen, camera: id, track, photo, isSnapshotKept: true, clip: Promise.resolve(clip) }
      sender.add(event)
      outbox.add(event)
    }
    const uploading = upload()
    await sleep(3_000 * Math.random())
    first.child.kill('SIGKILL')
    await first.exit
    const again = startCore(data, { MIEN_CORE_PORT: port })
    await again.port
    await uploading
    expect(await outbox.close(120_000)).toBe(0)
    await sender.close(120_000)
    const files = { snapshot: expect.any(String), clip: expect.any(String) }
    expect(await expectWhole(owner, [{ lines }])).toEqual(Array(4).fill(expect.objectContaining(files)))
    expect([lines('visit posted'), lines('footage sent')]).toMatchObject([{ length: 4 }, { length: 8 }])

    const progress = { read: 0, visits: 0, from: 0, before: 0 }
    await client.cameras.lease(id, { watcher: 'one', recording: { ...recording, ...progress } })
    for (let at = 0; at < bytes.length; at += PIECE) {
      const piece = await client.cameras.getRecording(id, { watcher: 'one', at })
      expect(bytes.subarray(at, at + PIECE).equals(Buffer.from(await piece.arrayBuffer()))).toBe(true)
    }
    again.child.kill()
    await again.exit
    expectVerified(data)
  })
})
