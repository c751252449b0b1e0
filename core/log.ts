/** The log: one JSON object a line on standard output. */

/** Facts of a line. Never a query, a body, a photo, an embedding, or an error's message: any of them may tell of people. */
export type Facts = Record<string, string | number | boolean | undefined>

export type Log = (event: string, facts?: Facts) => void

export const logToStdout: Log = (event, facts = {}) => {
  process.stdout.write(`${JSON.stringify({ time: new Date().toISOString(), event, ...facts })}\n`)
}

/** What a log may say of an error that was not foreseen: the kinds of it and of its causes, and where it was made. */
export function traceOf(error: unknown): Facts {
  if (!(error instanceof Error)) return { error: typeof error }
  const frames = (error.stack ?? '').split('\n').filter(line => /^\s+at /.test(line))
  return {
    error: kinds(error).join(' < '),
    at: frames
      .slice(0, 6)
      .map(line => line.trim())
      .join('; '),
  }
}

function kinds(error: unknown): string[] {
  if (!(error instanceof Error)) return []
  const code = 'code' in error ? ` ${String(error.code)}` : ''
  return [`${error.name}${code}`, ...kinds(error.cause)]
}
