/** The worker's bindings, checked once per isolate. */
import * as z from 'zod'
import { LIMITS } from '../core/contract/limits.ts'
import type { RateLimiter } from './admission/tokens.ts'
import type { Connection, CorePlace } from './core-client/core-client.ts'

const isObject = (bound: unknown): boolean => typeof bound === 'object' && bound !== null

/** Characters of a secret, at least. */
const SECRET_LENGTH = 32

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
  /** The secret that edge and core share; signs every request to core. Of several: one for all, or as many, with commas between. */
  EDGE_SECRET: z.string().min(SECRET_LENGTH),
  /** A binding to a client certificate or to a tunnel, by which core is reached, see docs/security.md. */
  CORE: z.custom<Connection>(isObject).optional(),
  /** The origin that answers name in links; the request's own when empty. */
  PUBLIC_URL: z.union([z.url(), z.literal('')]).default(''),
  /**
   * `true` where a proxy in front replaces X-Forwarded-Proto and X-Forwarded-Host of its callers: links then name what these
   * say. Anybody could choose the origin of links otherwise.
   */
  TRUST_FORWARDED: z
    .enum(['', 'true', 'false'])
    .default('')
    .transform(word => word === 'true'),
  /** Origins whose web pages may read answers, with commas between them; `*` for any. */
  CORS_ORIGINS: z.string().default('').transform(originsIn),
  /** Milliseconds that an answer of core may take. */
  CORE_ANSWER_MS: z.coerce.number().int().positive().default(LIMITS.coreAnswerMs),
  /** Milliseconds that core's word on a token is believed: a revoked one is refused within a minute, whatever is set. */
  TOKEN_TRUSTED_MS: z.coerce.number().int().min(0).max(60_000).default(LIMITS.tokenTrustedMs),
  /** A rate limiting binding, where there is one: it counts the requests of each token. */
  RATE_LIMITER: z.custom<RateLimiter>(isObject).optional(),
})

/** Throws nothing: what is no origin becomes an issue that names it, and the variable of the launcher. */
function originsIn(list: string, context: z.RefinementCtx<string>): string[] {
  const origins = list
    .split(',')
    .map(origin => origin.trim())
    .filter(origin => origin !== '')
  for (const origin of origins.filter(origin => !isOrigin(origin)))
    context.addIssue(
      `MIEN_CORS_ORIGINS: "${origin}" is no origin. Expected * or origins such as https://app.example.com, with commas between them.`,
    )
  return origins
}

const isOrigin = (text: string): boolean =>
  text === '*' || (/^https?:/.test(text) && URL.canParse(text) && new URL(text).origin === text)

export type Env = z.infer<typeof EnvSchema> & { cores: CorePlace[] }

/** Throws a readable error when a binding is missing: the worker can't work without it. */
export function parseEnv(bindings: unknown): Env {
  const parsed = EnvSchema.safeParse(bindings)
  if (!parsed.success) throw new Error(`The worker's bindings are wrong: ${z.prettifyError(parsed.error)}`)
  return { ...parsed.data, cores: coresOf(parsed.data) }
}

/** Each core with its secret. That of a single core may have commas in it. */
function coresOf({ CORE_URL, EDGE_SECRET }: z.infer<typeof EnvSchema>): CorePlace[] {
  const secrets = CORE_URL.length === 1 ? [EDGE_SECRET] : EDGE_SECRET.split(',').map(secret => secret.trim())
  const isEnough = secrets.length === 1 || secrets.length === CORE_URL.length
  if (!isEnough || secrets.some(secret => secret.length < SECRET_LENGTH))
    throw new Error(
      `The worker's bindings are wrong: EDGE_SECRET is one secret, or one for each of the ${CORE_URL.length} cores.`,
    )
  return CORE_URL.map((url, i) => ({ url, secret: secrets[i] ?? EDGE_SECRET }))
}
