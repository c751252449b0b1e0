/** Several watchers of one owner, with the real service and clips of the system's ffmpeg. Skipped without ffmpeg. */

import { join } from 'node:path'
import { hasFfmpeg, movingClip } from '#test/support/photos/clips.ts'
import { freePort } from '#test/support/processes.ts'
import { sharedFolder } from '#test/unit/core/folder.ts'
import { expectWhole, newOwner, startWatch } from './watching.ts'

const folder = sharedFolder()

const PATIENCE = { timeout: 60_000, interval: 200 }

/** Default of --longest. A visit that is not over is posted then without --early. */
const LONGEST_MS = 60_000

const tracksOf = (faces: { detector_info: { track: string } }[]) =>
  faces.map(face => face.detector_info.track)

describe.skipIf(!hasFfmpeg)('watchers of one owner', { tags: ['long', 'ffmpeg'] }, () => {
  beforeAll(() => {
    movingClip(join(folder, 'door.ts'), { seconds: 6, size: '960x640', sample: 1 })
  })

  const args = ['--files', folder, '--fps', '2', '--threads', '1']

  it('share the cameras, and take over the cameras of a watcher that dies', { tags: 'kills' }, async () => {
    const { token, camera, state, faces } = newOwner()
    const ids = [await camera({ url: 'door.ts' }), await camera({ url: 'door.ts' })]
    const one = startWatch(token, [...args, '--max-cameras', '1'])
    const { watcher } = await one.line('watching')
    await one.line('camera open')
    const two = startWatch(token, [...args, '--early'])
    await two.line('camera open')
    await vi.waitFor(async () => {
      const states = await Promise.all(ids.map(state))
      for (const { live } of states) expect(live).toBe(true)
    }, PATIENCE)
    const held = (await Promise.all(ids.map(state))).map(one => one.watcher)
    const dead = ids[held.indexOf(watcher)]!
    expect(one.count('camera open')).toBe(1)

    await one.stop('SIGKILL')
    await two.line('camera open', dead)
    await vi.waitFor(async () => expect(await state(dead)).toMatchObject({ live: true }), PATIENCE)
    expect((await state(dead)).watcher).not.toBe(watcher)
    await two.line('visit posted', dead)
    expect(await two.stop()).toBe(0)
    const tracks = tracksOf(await faces())
    expect(new Set(tracks).size).toBe(tracks.length)
    for (const id of ids) expect(await state(id)).toMatchObject({ live: false, watcher: null })
  })

  it('store no event twice when the watcher of a camera stops for longer than its lease', {
    tags: 'kills',
  }, async () => {
    const owner = newOwner()
    const id = await owner.camera({ url: 'door.ts', options: { snapshot: true } })
    const both = [0, 1].map(() => startWatch(owner.token, [...args, '--longest', '3']))
    const holder = await Promise.race(both.map(watch => watch.line('visit posted', id).then(() => watch)))
    const other = both.find(watch => watch !== holder)!
    process.kill(holder.pid, 'SIGSTOP')
    await other.line('visit posted', id)
    process.kill(holder.pid, 'SIGCONT')
    await holder.line('camera taken', id)
    for (const watch of both) expect(await watch.stop()).toBe(0)
    await expectWhole(owner, both)
  })

  it('leave a camera that another watcher has taken, or that is deleted', async () => {
    const { token, camera, send } = newOwner()
    const id = await camera({ url: 'door.ts' })
    const watch = startWatch(token, args)
    const { watcher } = await watch.line('watching')
    await watch.line('camera open', id)
    await expect(send('DELETE', `/v1/camera/${id}/lease`, { watcher })).toAnswer(204)
    await expect(send('PUT', `/v1/camera/${id}/lease`, { watcher: 'another' })).toAnswer(200)
    await watch.line('camera taken', id)
    // Its lease ends without a report.
    await watch.line('camera open', id, 2)

    const picture = async () => (await send('GET', `/v1/cameras/${id}/picture`)).status
    await vi.waitFor(async () => expect(await picture()).toBe(200), PATIENCE)
    // While pictures are wanted, the next report comes before the next list of cameras.
    await send('DELETE', `/v1/camera/${id}`)
    await watch.line('camera left', id)
    expect(watch.count('camera taken', id)).toBe(1)
    expect(await watch.stop()).toBe(0)
  })

  it('follow options of cameras, post early, and serve metrics', async () => {
    const { token, camera, send, faces, state } = newOwner()
    const id = await camera({ url: 'door.ts', options: { min_face: 600 } })
    const port = await freePort()
    const watch = startWatch(token, [...args, '--absence', '60', '--metrics', String(port)])
    await watch.line('camera open', id)
    await send('PUT', `/v1/camera/${id}`, { options: { early: true, fps: 5 } })
    await watch.line('visit posted', id)
    expect(await watch.count('camera open', id)).toBe(2)
    for (const { detector_info: seen } of await faces())
      expect(Date.parse(seen.last_seen) - Date.parse(seen.first_seen)).toBeLessThan(LONGEST_MS)
    await vi.waitFor(async () => expect((await state(id)).fps).toBeGreaterThan(3), PATIENCE)
    const values = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text()
    expect(values).toContain(`mien_camera_live{camera="${id}"} 1`)
    expect(values).toContain(`mien_camera_losses_total{camera="${id}"} 0`)
    for (const name of ['mien_camera_frames_total', 'mien_camera_visits_total'])
      expect(Number(new RegExp(`${name}{camera="${id}"} (\\S+)`).exec(values)?.[1])).toBeGreaterThan(0)
    for (const name of ['frames_dropped_total', 'frame_age_seconds'])
      expect(values).toContain(`mien_camera_${name}{camera="${id}"}`)
    expect(values).toMatch(/^mien_watcher_events_waiting \d+$/m)
    await expect(fetch(`http://127.0.0.1:${port}/`)).toAnswer(404)
    const posted = tracksOf(await faces())
    expect(await watch.stop()).toBe(0)
    // The end of the visits posts none of them again.
    const all = tracksOf(await faces())
    expect(all.filter(track => posted.includes(track))).toEqual(posted)
  })
})
