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
  /** The same runtime, which pauses between runs of networks. */
  inPieces(runtime: Runtime): Runtime
}

/** Pixels that networks are shown without a pause: some 7 ms of work. Larger networks are a piece by themselves. */
const PIECE_PIXELS = 20_000

/** Whoever looks alone does not pause. */
export function looks(isBusy: () => boolean): Looks {
  // Who is inside may always wait here.
  const waiting = line(2 * LIMITS.edgeRequests)
  // Ends by itself: the runtime may end a request in the middle of its look.
  let takenUntil = 0
  const turn = {
    can: () => Date.now() >= takenUntil,
    take: () => {
      takenUntil = Date.now() + LIMITS.edgeWaitMs
    },
  }
  let shown = 0
  /** The runtime's clock does not tell how long a piece takes: it stands still within one. */
  const beforeShowing = async (pixels: number): Promise<void> => {
    const isPieceFull = shown + pixels > PIECE_PIXELS
    shown = isPieceFull ? pixels : shown + pixels
    if (isPieceFull && isBusy()) await pause(0)
  }

  return {
    async one(look) {
      await waiting.pass('', turn)
      try {
        if (isBusy()) await pause(0)
        shown = 0
        return await look()
      } finally {
        takenUntil = 0
      }
    },
    inPieces: runtime => ({
      async session(model) {
        return withPauses(await runtime.session(model), beforeShowing)
      },
    }),
  }
}

const withPauses = (session: Session, beforeShowing: (pixels: number) => Promise<void>): Session => ({
  async run(inputs) {
    for (const { dims } of Object.values(inputs)) await beforeShowing(pixelsOf(dims))
    return session.run(inputs)
  },
})

/** Networks are shown pictures: [1, channels, height, width]. */
const pixelsOf = ([, , height = 1, width = 1]: readonly number[]): number => height * width
