/** The worker's bindings, checked once per isolate. */
import * as z from 'zod'
import { LIMITS } from '../core/contract/limits.ts'

const EnvSchema = z.object({
  /** Where core listens, for example `http://127.0.0.1:8788`. */
  CORE_URL: z.url(),
  /** The secret that edge and core share; signs every request to core. */
  EDGE_SECRET: z.string().min(32),
  /** The origin that answers name in links; the request's own when empty. */
  PUBLIC_URL: z.union([z.url(), z.literal('')]).default(''),
  /** Milliseconds that an answer of core may take. */
  CORE_ANSWER_MS: z.coerce.number().int().positive().default(LIMITS.coreAnswerMs),
})

export type Env = z.infer<typeof EnvSchema>

/** Throws a readable error when a binding is missing: the worker can't work without it. */
export function parseEnv(bindings: unknown): Env {
  const parsed = EnvSchema.safeParse(bindings)
  if (!parsed.success) throw new Error(`The worker's bindings are wrong: ${z.prettifyError(parsed.error)}`)
  return parsed.data
}
