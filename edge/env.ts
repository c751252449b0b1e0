/** The worker's bindings, validated once per isolate. */
import * as z from 'zod'
import { EDGE_LIMITS } from '../contract/limits/edge.ts'
import { TOKEN_LIMITS } from '../contract/limits/tokens.ts'
import type { RateLimiter } from './admission/tokens.ts'
import type { CoreConnection, CoreEndpoint } from './core-client/core-client.ts'

const isObject = (bound: unknown) => typeof bound === 'object' && bound !== null

/** Minimum number of characters of a secret. */
const SECRET_LENGTH = 32

const EnvSchema = z.object({
  /** Binding to the static assets. Absent when commands check the text bindings. */
  ASSETS: z.custom<{ fetch(url: string): Promise<Response> }>(isObject).optional(),
  /** URL of core, for example `http://127.0.0.1:8788`. Several comma-separated URLs name cores that share their storage. */
  CORE_URL: z
    .string()
    .transform(list => list.split(',').map(url => url.trim()))
    .pipe(
      z
        .array(z.url({ protocol: /^https?$/ }))
        .max(EDGE_LIMITS.cores)
        .refine(urls => new Set(urls).size === urls.length, 'names a core twice'),
    ),
  /** Secret shared with core; signs every request to core. For several cores: one for all, or one per core, comma-separated. */
  EDGE_SECRET: z.string().min(SECRET_LENGTH),
  /** Binding to a client certificate or to a tunnel that reaches core. See docs/security.md. */
  CORE: z.custom<CoreConnection>(isObject).optional(),
  /** Origin of links in responses. "" selects the origin of the request. */
  PUBLIC_URL: z.union([z.url(), z.literal('')]).default(''),
  /**
   * `true` when a proxy in front replaces X-Forwarded-Proto and X-Forwarded-Host of its callers. Links then use these
   * headers. Without the proxy, any caller could choose the origin of links.
   */
  TRUST_FORWARDED: z
    .enum(['', 'true', 'false'])
    .default('')
    .transform(word => word === 'true'),
  /** Comma-separated origins whose web pages may read responses; `*` allows any origin. */
  CORS_ORIGINS: z.string().default('').transform(originsIn),
  /** `false`: the log has refusals only. Default: a line for each request. */
  LOG_REQUESTS: z
    .enum(['', 'true', 'false'])
    .default('')
    .transform(word => word !== 'false'),
  /** Timeout for a response of core, in milliseconds. */
  CORE_ANSWER_MS: z.coerce.number().int().positive().default(EDGE_LIMITS.coreAnswerMs),
  /** Milliseconds for which a token lookup is cached. The maximum of 60,000 bounds the use of a revoked token. */
  TOKEN_TRUSTED_MS: z.coerce.number().int().min(0).max(60_000).default(TOKEN_LIMITS.trustedMs),
  /** Optional rate limiting binding. It counts the requests of each token. */
  RATE_LIMITER: z.custom<RateLimiter>(isObject).optional(),
})

/** Splits the list. Adds an issue for each invalid origin; the issue names the launcher's variable, MIEN_CORS_ORIGINS. */
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

const isOrigin = (text: string) =>
  text === '*' || (/^https?:/.test(text) && URL.canParse(text) && new URL(text).origin === text)

type Env = z.infer<typeof EnvSchema> & { cores: CoreEndpoint[] }

/** Throws an error with a readable message when a binding is missing or invalid. */
export function parseEnv(bindings: unknown): Env {
  const parsed = EnvSchema.safeParse(bindings)
  if (!parsed.success) throw new Error(`The worker's bindings are wrong: ${z.prettifyError(parsed.error)}`)
  return { ...parsed.data, cores: coresOf(parsed.data) }
}

/** Pairs each core with its secret. The secret of a single core may contain commas. */
function coresOf({ CORE_URL, EDGE_SECRET }: z.infer<typeof EnvSchema>): CoreEndpoint[] {
  const secrets = CORE_URL.length === 1 ? [EDGE_SECRET] : EDGE_SECRET.split(',').map(secret => secret.trim())
  const hasSecretPerCore = secrets.length === 1 || secrets.length === CORE_URL.length
  if (!hasSecretPerCore || secrets.some(secret => secret.length < SECRET_LENGTH))
    throw new Error(
      `The worker's bindings are wrong: EDGE_SECRET is one secret, or one for each of the ${CORE_URL.length} cores.`,
    )
  return CORE_URL.map((url, i) => ({ url, secret: secrets[i] ?? EDGE_SECRET }))
}
