/**
 * Looks at photos beside other requests: one at a time, and in pieces. A look keeps the isolate busy for tens of milliseconds;
 * between its pieces the runtime hears what has arrived, so that who is refused is refused soon.
 */
import { LIMITS } from '../core/contract/limits.ts'
import type { Runtime, Session } from '../wasm/runtime.ts'
import { line, pause } from './line.ts'

export interface Looks {
  /** Runs a look when its turn has come: two decoders would take twice the memory. */
  one<Seen>(look: () => Promise<Seen>): Promise<Seen>
  /** The same runtime, whose networks run with a pause behind each run. */
  inPieces(runtime: Runtime): Runtime
}

/** Whoever looks alone does not pause. */
export function looks(isBusy: () => boolean): Looks {
  // Who is inside may always wait here.
  const waiting = line(2 * LIMITS.edgeRequests)
  const breathe = async (): Promise<void> => {
    if (isBusy()) await pause(0)
  }
  // Ends by itself: the runtime may end a request in the middle of its look.
  let takenUntil = 0
  const turn = {
    can: () => Date.now() >= takenUntil,
    take: () => {
      takenUntil = Date.now() + LIMITS.edgeWaitMs
    },
  }

  return {
    async one(look) {
      await waiting.pass('', turn)
      try {
        await breathe()
        return await look()
      } finally {
        takenUntil = 0
      }
    },
    inPieces: runtime => ({
      async session(model) {
        return withPauses(await runtime.session(model), breathe)
      },
    }),
  }
}

const withPauses = (session: Session, breathe: () => Promise<void>): Session => ({
  async run(inputs) {
    const outputs = await session.run(inputs)
    await breathe()
    return outputs
  },
})
