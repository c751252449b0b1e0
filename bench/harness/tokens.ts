/** Tokens of a running service, created by the command that operators use. */
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'

/** A token made as an operator makes one: by the command, while the service runs. */
export const newToken = (data: string, owner: string, ...options: string[]): string =>
  createToken(['--owner', owner, '--data', data, ...options])

/** The same for a service that the environment describes. */
export function createToken(options: readonly string[], env: NodeJS.ProcessEnv = process.env): string {
  const command = join(import.meta.dirname, '..', '..', 'commands', 'mien.js')
  const made = spawnSync(process.execPath, [command, 'token', 'create', ...options], {
    encoding: 'utf8',
    env,
  })
  const token = /mien_[0-9A-Za-z]+/.exec(made.stdout)?.[0]
  if (token === undefined) throw new Error(`No token was made: ${made.stdout}${made.stderr}`)
  return token
}
