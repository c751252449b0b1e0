/** Follows the pack of core: loads the detection networks that core announces, without a restart. */
import { environment } from '../../contract/environment.ts'
import { EDGE_LIMITS } from '../../contract/limits/edge.ts'
import { readAnnouncement } from '../../contract/rpc/headers.ts'
import { decodeVisionFile, type VisionFile, visionFileId } from '../../models/vision-file.ts'

export interface PackFollowerOptions {
  /** Label of the embedder, and id of the vision file, of the bundle. */
  label: string
  id: Promise<string>
  /** Core's vision file. */
  fetchFile(): Promise<Uint8Array>
  /** Opens the networks, and replaces those in use. */
  load(file: VisionFile): Promise<void>
  /** Runs a task that may outlast its request. */
  background(work: Promise<void>): void
  log(entry: Record<string, unknown>): void
  now?: () => number
}

export interface PackFollower {
  /** Takes PACK_HEADER of a response of core; null without one. */
  learn(header: string | null): void
}

/**
 * Cores that are restarted one by one announce different packs for a while. The follower takes the pack of the core that
 * started last, and never an earlier one. It tries again after a failure.
 */
export function packFollower(options: PackFollowerOptions): PackFollower {
  const { label, fetchFile, load, background, log, now = environment.now } = options
  let newest = 0
  let isBusy = false
  let pausedUntil = 0
  let current = options.id

  /** Loads the announced file, unless another core answered with its own. */
  const follow = async (id: string): Promise<void> => {
    if (id === (await current)) return
    const bytes = await fetchFile()
    if ((await visionFileId(bytes)) !== id) throw new Error('A core with another pack answered.')
    const file = decodeVisionFile(bytes)
    if (file.label !== label) return log({ event: 'pack not loaded', why: 'another embedder' })
    await load(file)
    current = Promise.resolve(id)
    log({ event: 'pack loaded', id })
  }

  return {
    learn(header) {
      const announced = readAnnouncement(header)
      if (!announced || announced.started <= newest || isBusy || now() < pausedUntil) return
      isBusy = true
      background(
        follow(announced.id)
          .then(
            () => {
              newest = announced.started
            },
            () => {
              pausedUntil = now() + EDGE_LIMITS.packRetryMs
              log({ event: 'pack not loaded', why: 'not available' })
            },
          )
          .finally(() => {
            isBusy = false
          }),
      )
    },
  }
}
