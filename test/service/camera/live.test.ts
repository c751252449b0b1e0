/** The live view of a camera with the real service, the system's ffmpeg and a camera that films the clock. Skipped without ffmpeg. */

import { MienClient } from '#clients/typescript/src/index.ts'
import { CAMERA_LIMITS } from '#contract/limits/cameras.ts'
import { chromiumPath } from '#test/support/chromium.ts'
import { hasFfmpeg } from '#test/support/photos/clips.ts'
import { ageOf, filmedClock } from '#test/support/photos/filmed-clock.ts'
import { times } from '#test/support/times.ts'
import { visit } from '../console/visitor.ts'
import { newOwner, startWatch } from './watching.ts'

const PATIENCE = { timeout: 60_000, interval: 100 }

/** A camera that a watcher watches. */
async function watched() {
  const clock = await filmedClock()
  onTestFinished(clock.close)
  const owner = newOwner()
  const id = await owner.camera({ url: clock.url })
  const watch = startWatch(owner.token, ['--threads', '1'])
  await watch.line('camera open')
  const viewer = new MienClient({ url: owner.edge, token: owner.admin, retries: 0 })
  return { clock, id, watch, viewer, owner }
}

/** Opens the live view. The watcher may not have asked for viewers yet. */
const opened = (viewer: MienClient, id: string) =>
  vi.waitFor(async () => {
    const images = viewer.live(id)
    const { value } = await images.next()
    return { images, first: value! }
  }, PATIENCE)

const filmedAt = async (image: Blob) => Date.now() - (await ageOf(new Uint8Array(await image.arrayBuffer())))

describe.skipIf(!hasFfmpeg)('the live view', { tags: ['long', 'ffmpeg'] }, () => {
  it('shows newer and newer frames, reads the camera a second time only for viewers, and ends with its watcher', async () => {
    const { clock, id, viewer, watch } = await watched()
    expect(clock.viewers()).toBe(1)
    const { images, first } = await opened(viewer, id)
    await vi.waitFor(() => expect(clock.viewers()).toBe(2), PATIENCE)
    const all = [await filmedAt(first)]
    for await (const image of images) {
      all.push(await filmedAt(image))
      if (all.length === 30) break
    }
    // The first ones are frames of the analysis.
    const times = all.slice(-10)
    expect(times).toEqual(times.toSorted((a, b) => a - b))
    expect(Math.abs(times.at(-1) - Date.now())).toBeLessThan(60_000)
    await vi.waitFor(() => expect(clock.viewers()).toBe(1), PATIENCE)

    const again = await opened(viewer, id)
    expect(await watch.stop()).toBe(0)
    for await (const _ of again.images);
    expect(clock.viewers()).toBe(0)
    await expect(viewer.live(id).next()).toBeRefused('NOT_FOUND')
  })

  it('has a bounded number of viewers, of this owner only', async () => {
    const { id, viewer } = await watched()
    await opened(viewer, id)
    const more = times(CAMERA_LIMITS.viewers - 1, () => opened(viewer, id))
    const all = await Promise.all(more)
    await expect(viewer.live(id).next()).toBeRefused('RATE_LIMITED')
    const stranger = newOwner('read')
    const theirs = new MienClient({ url: stranger.edge, token: stranger.token, retries: 0 })
    await expect(theirs.live(id).next()).toBeRefused('NOT_FOUND')
    await all[0]!.images.return()
    await opened(viewer, id)
  })

  it.skipIf(chromiumPath === undefined)('moves on the page of the camera', { tags: 'chromium' }, async () => {
    const { clock, id, owner } = await watched()
    const page = await visit({ token: owner.admin, hash: `#/cameras/${id}`, trouble: /404/ })
    await page.getByRole('img', { name: 'The camera, live' }).waitFor({ timeout: PATIENCE.timeout })
    expect(await page.getByRole('img', { name: 'The last frame' }).count()).toBe(0)
    await page.goto(page.url().replace(`/${id}`, ''))
    await vi.waitFor(() => expect(clock.viewers()).toBe(1), PATIENCE)
  })
})
