/** The log: one JSON object per line on standard output. */
import { environment } from '../contract/environment.ts'

/** Fields of a line. Never queries, bodies, photos, embeddings or error messages: they can contain personal data. */
export type Facts = Record<string, string | number | boolean | undefined>

/** Writes one line with an event name and its fields. */
export type Log = (event: string, facts?: Facts) => void

/** Writes lines to standard output, with the current time in ISO 8601. */
export const logToStdout: Log = (event, facts = {}) => {
  process.stdout.write(
    `${JSON.stringify({ time: new Date(environment.now()).toISOString(), event, ...facts })}\n`,
  )
}

/** Fields for an unexpected error: names and codes of the error and its causes, and the first six stack frames. No message. */
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
