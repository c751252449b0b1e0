/** One real service, started before the tests and shared by those that only need its API. */
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import type { TestProject } from 'vitest/node'
import { startService } from './service.ts'

declare module 'vitest' {
  export interface ProvidedContext {
    edge: string
    core: string
    data: string
    token: string
    /** A token of another owner. */
    otherToken: string
    /** `host:port` that the service may fetch photos from, though it is not public. */
    photoHost: string
  }
}

/** Photos are served by tests that listen here. */
const PHOTO_HOST = '127.0.0.1:18790'

export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const service = await startService({ env: { MIEN_PHOTO_HOSTS: PHOTO_HOST } })
  project.provide('edge', service.edge)
  project.provide('core', service.core)
  project.provide('data', service.data)
  project.provide('token', service.token)
  project.provide('otherToken', newToken(service.data, 'another'))
  project.provide('photoHost', PHOTO_HOST)
  return async () => {
    await service.stop()
    await service.remove()
  }
}

/** A token made as an operator makes one: by the command, while the service runs. */
export function newToken(data: string, owner: string): string {
  const command = join(import.meta.dirname, '..', 'commands', 'token.ts')
  const made = spawnSync(process.execPath, [command, 'create', '--owner', owner, '--data', data], {
    encoding: 'utf8',
  })
  const token = /mien_[0-9A-Za-z]+/.exec(made.stdout)?.[0]
  if (token === undefined) throw new Error(`No token was made: ${made.stdout}${made.stderr}`)
  return token
}
