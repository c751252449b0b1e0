/** Secrets of core that its siblings do not need. */
import {
  AWS_VARIABLES,
  BUCKET_SECRET,
  DATABASE_TOKEN,
  KEY_VARIABLES,
} from '../../core/configuration/credentials.ts'
import { TRACE_HEADER_VARIABLES } from '../../core/traces/open.ts'

/** Environment variables that hide them from a child process. */
export const HIDDEN_SECRETS: Readonly<Record<string, string>> = {
  [BUCKET_SECRET.key]: '',
  [AWS_VARIABLES.secret]: '',
  [KEY_VARIABLES.key]: '',
  [KEY_VARIABLES.file]: '',
  [DATABASE_TOKEN.key]: '',
  [DATABASE_TOKEN.file]: '',
  ...Object.fromEntries(TRACE_HEADER_VARIABLES.map(variable => [variable, ''])),
}
