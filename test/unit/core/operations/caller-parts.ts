/** Services for authentication in tests: a database, a clock, and no rate limit. */
import { DEFAULT_OPTIONS } from '#core/configuration/options.ts'
import type { Database } from '#core/metadata/database.ts'
import { tokenUsage } from '#core/operations/access/token-usage.ts'
import type { CallerServices } from '#core/operations/access/tokens.ts'

export const callerParts = (database: Database, now: () => number): CallerServices => ({
  database,
  options: DEFAULT_OPTIONS,
  tokenUsage: tokenUsage(),
  requestsPerSecond: undefined,
  now,
})
