import { expect, it } from 'vitest'
import { announcement } from '#contract/rpc/headers.ts'
import { packFollower } from '#edge/vision/pack-follower.ts'
import { STANDARD } from '#models/manifest.ts'
import { encodeVisionFile, type VisionFile, visionFileId } from '#models/vision-file.ts'

const CHECKS = new Proxy({}, { get: () => ({ sha256: '', bytes: 0 }) })

/** A vision file without weights. Another threshold of liveness makes it another file. */
const fileOf = (label: string, live: number): Promise<Uint8Array<ArrayBuffer>> =>
  encodeVisionFile(
    { ...STANDARD, liveness: { ...STANDARD.liveness, live } },
    label,
    CHECKS,
    async () => new Uint8Array(),
  )

const [bundled, next, third] = [await fileOf('ours', 0), await fileOf('ours', 1), await fileOf('ours', 2)]
const theirs = await fileOf('theirs', 1)

/** A follower of a core with this file. `settled` resolves when no task is left. */
function following(served: { file: Uint8Array | undefined }) {
  const loaded: VisionFile[] = []
  const events: unknown[] = []
  let tasks: Promise<void> = Promise.resolve()
  let time = 0
  const follower = packFollower({
    label: 'ours',
    id: visionFileId(bundled),
    fetchFile: async () => served.file ?? Promise.reject(new Error('core is away')),
    load: async file => void loaded.push(file),
    background: work => {
      tasks = tasks.then(() => work)
    },
    log: ({ event }) => void events.push(event),
    now: () => time,
  })
  const pass = (ms: number): void => {
    time += ms
  }
  const told = async (started: number, file: Uint8Array) => {
    follower.learn(announcement({ started, id: await visionFileId(file) }))
    await tasks
  }
  return { told, loaded, events, pass, follower }
}

it('takes the pack of the core that started last', async () => {
  const served = { file: third }
  const { told, loaded } = following(served)
  await told(2, third)
  served.file = next
  await told(1, next)
  expect(loaded.map(({ pack }) => pack.liveness.live)).toEqual([2])
})

it('tries again after a pause when core is away, and when another core answers', async () => {
  const served: { file: Uint8Array | undefined } = { file: undefined }
  const { told, loaded, events, pass } = following(served)
  await told(1, next)
  served.file = third
  await told(1, next)
  pass(5_000)
  await told(1, next)
  served.file = next
  pass(5_000)
  await told(1, next)
  expect(loaded.map(({ pack }) => pack.liveness.live)).toEqual([1])
  expect(events).toEqual(['pack not loaded', 'pack not loaded', 'pack loaded'])
})

it('does not load networks for another embedder', async () => {
  const { told, loaded, events } = following({ file: theirs })
  await told(1, theirs)
  await told(1, theirs)
  expect(loaded).toEqual([])
  expect(events).toEqual(['pack not loaded'])
})
