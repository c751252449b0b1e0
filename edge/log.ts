/** The log of the edge: one JSON object per line. */

export const log = (entry: Record<string, unknown>): void => {
  // biome-ignore lint/suspicious/noConsole: a Worker's log is its console
  console.error(JSON.stringify({ time: new Date().toISOString(), ...entry }))
}
