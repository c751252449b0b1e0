/** Frees the networks of a runtime together. */
import type { Runtime, Session } from './runtime.ts'

/** The same runtime, and a function that releases all sessions that it opened. */
export function releasable({ session }: Runtime): { runtime: Runtime; release(): Promise<void> } {
  const opened: Session[] = []
  return {
    runtime: {
      async session(...given) {
        const one = await session(...given)
        opened.push(one)
        return one
      },
    },
    async release() {
      for (const one of opened.splice(0)) await one.release()
    },
  }
}
