/** Runs a task for each of many inputs, a few at a time. */

/**
 * Starts a task per input in order, `limit` at a time, and none after the signal aborts. Resolves when the started ones have
 * settled.
 */
export async function inParallel<T>(
  inputs: readonly T[],
  limit: number,
  run: (input: T) => Promise<void>,
  signal?: AbortSignal,
): Promise<void> {
  const waiting = inputs.values()
  const work = async (): Promise<void> => {
    for (const input of waiting) {
      if (signal?.aborted) return
      await run(input)
    }
  }
  await Promise.all(Array.from({ length: Math.min(limit, inputs.length) }, work))
}
