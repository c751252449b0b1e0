/** Looking at photos: here when they fit the isolate, in core when they do not. */
import { ServiceError } from '../../core/contract/errors.ts'
import { LIMITS } from '../../core/contract/limits.ts'
import type { Selection } from '../../core/contract/model/selector.ts'
import { DoesNotFit, type Means } from '../../wasm/decode/budget.ts'
import { type Eyes, look, type Sighting } from '../../wasm/pipeline.ts'
import { pause } from '../admission/fair-queue.ts'
import type { Core } from '../core-client/core-client.ts'
import { given } from '../parameters/omit-undefined.ts'
import type { Looks } from './inference-scheduler.ts'

/**
 * What all decodes in progress may take: of the isolate's 128 MB networks and body use some 70 (`npm run bench -- worker-memory`).
 * A decode takes a second at most. One that can't pause takes 0.15 s at most on the machine of docs/performance.md: a 12 Mpx
 * telephone photo decoded to three quarters.
 */
export const MEANS = {
  budget: 44 * 2 ** 20,
  patience: 100_000_000,
  stretch: 60_000_000,
} as const satisfies Means

/** How often a request looks whether the networks are loaded that another request is loading. */
const LOADED_LOOK_MS = 10

export interface Faces {
  /** Faces on the photo; chips of those that the selection means. `param` names the photo in errors. Tokens take turns. */
  look(
    bytes: Uint8Array<ArrayBuffer>,
    selection: Selection | undefined,
    param: string,
    token: string,
  ): Promise<Sighting>
}

export function facesOf(core: Core, looks: Pick<Looks, 'one'>, openEyes: () => Promise<Eyes>): Faces {
  const opened = openedOnce(openEyes)

  return {
    async look(bytes, selection, param, token) {
      try {
        return await looks.one(token, async shared =>
          look(await opened(), bytes, selection, { ...MEANS, ...shared, param }),
        )
      } catch (error) {
        if (error instanceof DoesNotFit) return lookInCore(core, bytes, selection, param)
        throw error
      }
    },
  }
}

/**
 * Opens the eyes once. Requests that come meanwhile look now and then whether they are open: the runtime ends a request that
 * awaits the promise of another.
 */
function openedOnce(openEyes: () => Promise<Eyes>): () => Promise<Eyes> {
  let eyes: Eyes | undefined
  let lostAt = 0
  return async () => {
    while (!eyes) {
      if (Date.now() < lostAt) {
        await pause(LOADED_LOOK_MS)
        continue
      }
      lostAt = Date.now() + LIMITS.edgeWaitMs
      try {
        eyes = await openEyes()
      } finally {
        lostAt = 0
      }
    }
    return eyes
  }
}

async function lookInCore(
  core: Core,
  bytes: Uint8Array,
  selection: Selection | undefined,
  param: string,
): Promise<Sighting> {
  const question = { param, ...given('selection', selection) }
  const { answer, blobs } = await core.ask('photo.look', question, [bytes])
  const selected = answer.selected.map(({ thumbnail, ...face }, i) => {
    const [chip, data] = blobs.slice(2 * i)
    if (!chip || !data) throw new ServiceError('INTERNAL_ERROR')
    return { ...face, chip, thumbnail: { ...thumbnail, data } }
  })
  return { ...answer, selected }
}
