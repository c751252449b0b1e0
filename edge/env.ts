/** The worker's bindings, checked once per isolate. */
import * as z from 'zod'
import { LIMITS } from '../core/contract/limits.ts'
import type { Connection } from './core-client.ts'
import type { RateLimiter } from './tokens.ts'

const isObject = (bound: unknown): boolean => typeof bound === 'object' && bound !== null

const EnvSchema = z.object({
  /** Where core listens, for example `http://127.0.0.1:8788`. Several, with commas between them, share what they keep. */
  CORE_URL: z
    .string()
    .transform(list => list.split(',').map(url => url.trim()))
    .pipe(
      z
        .array(z.url({ protocol: /^https?$/ }))
        .max(LIMITS.cores)
        .refine(urls => new Set(urls).size === urls.length, 'names a core twice'),
    ),
  /** The secret that edge and core share; signs every request to core. */
  EDGE_SECRET: z.string().min(32),
  /** A binding to a client certificate or to a tunnel, by which core is reached, see docs/security.md. */
  CORE: z.custom<Connection>(isObject).optional(),
  /** The origin that answers name in links; the request's own when empty. */
  PUBLIC_URL: z.union([z.url(), z.literal('')]).default(''),
  /** Milliseconds that an answer of core may take. */
  CORE_ANSWER_MS: z.coerce.number().int().positive().default(LIMITS.coreAnswerMs),
  /** Milliseconds that core's word on a token is believed: a revoked one is refused within a minute, whatever is set. */
  TOKEN_TRUSTED_MS: z.coerce.number().int().min(0).max(60_000).default(LIMITS.tokenTrustedMs),
  /** A rate limiting binding, where there is one: it counts the requests of each token. */
  RATE_LIMITER: z.custom<RateLimiter>(isObject).optional(),
})

export type Env = z.infer<typeof EnvSchema>

/** Throws a readable error when a binding is missing: the worker can't work without it. */
export function parseEnv(bindings: unknown): Env {
  const parsed = EnvSchema.safeParse(bindings)
  if (!parsed.success) throw new Error(`The worker's bindings are wrong: ${z.prettifyError(parsed.error)}`)
  return parsed.data
}
