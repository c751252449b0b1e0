/** Looking at photos: here when they fit the isolate, in core when they do not. */
import { ServiceError } from '../core/contract/errors.ts'
import type { Selection } from '../core/contract/selector.ts'
import { DoesNotFit, type Means } from '../wasm/decode/budget.ts'
import { type Eyes, look, type Sighting } from '../wasm/look.ts'
import type { Core } from './core-client.ts'
import { given } from './given.ts'
import type { Looks } from './looks.ts'

/**
 * What one decode may take: of the isolate's 128 MB networks and body use some 70 (`npm run bench -- worker-memory`); and
 * while it decodes, all other requests wait, for a second at most.
 */
export const MEANS: Means = { budget: 44 * 2 ** 20, patience: 100_000_000 }

export interface Faces {
  /** Faces on the photo; chips of those that the selection means. `param` names the photo in errors. */
  look(bytes: Uint8Array<ArrayBuffer>, selection: Selection | undefined, param: string): Promise<Sighting>
}

export function facesOf(core: Core, looks: Pick<Looks, 'one'>, openEyes: () => Promise<Eyes>): Faces {
  // The opened eyes are kept, not the promise of them: no request waits for another's work.
  let eyes: Eyes | undefined

  return {
    async look(bytes, selection, param) {
      eyes ??= await openEyes()
      const opened = eyes
      try {
        return await looks.one(() => look(opened, bytes, selection, { ...MEANS, param }))
      } catch (error) {
        if (error instanceof DoesNotFit) return lookInCore(core, bytes, selection, param)
        throw error
      }
    },
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
