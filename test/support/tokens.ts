/** Creates tokens of a running service. */
import type { Scope } from '#contract/model/token.ts'
import { runMien } from './typed.ts'

export interface TokenOptions {
  name?: string
  scope?: Scope
  /** Requests per second. */
  rate?: number
}

/** Creates a token of an owner, and the owner when no owner has this name. A running service accepts it at once. */
export function newToken(
  data: string,
  owner: string,
  { name = '', scope = 'admin', rate }: TokenOptions = {},
): string {
  const options = ['--data', data, '--owner', owner, '--new-owner', '--scope', scope, '--name', name]
  const rated = rate === undefined ? [] : ['--rate', String(rate)]
  const { status, stdout, stderr } = runMien(['token', 'create', ...options, ...rated])
  if (status !== 0) throw new Error(`No token was made: ${stderr}`)
  return stdout.trim()
}
