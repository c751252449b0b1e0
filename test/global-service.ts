/** One real service, started before the tests and shared by those that only need its API. */
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import type { TestProject } from 'vitest/node'
import { startPhotoServer } from './photo-server.ts'
import { startService } from './service.ts'

declare module 'vitest' {
  export interface ProvidedContext {
    edge: string
    core: string
    data: string
    token: string
    /** Process id of the launcher. */
    launcher: number
    /** A token of another owner. */
    otherToken: string
    /** `host:port` of a photo server that the service may fetch from, though it is not public. */
    photoHost: string
  }
}

export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const photos = await startPhotoServer()
  const service = await startService({ env: { MIEN_PHOTO_HOSTS: photos.host } })
  project.provide('edge', service.edge)
  project.provide('core', service.core)
  project.provide('data', service.data)
  project.provide('token', service.token)
  project.provide('launcher', service.pid)
  project.provide('otherToken', newToken(service.data, 'another'))
  project.provide('photoHost', photos.host)
  return async () => {
    await service.stop()
    await service.remove()
    photos.server.close()
  }
}

/** A token made as an operator makes one: by the command, while the service runs. */
export const newToken = (data: string, owner: string, ...options: string[]): string =>
  createToken(['--owner', owner, '--data', data, ...options])

/** The same for a service that the environment describes. */
export function createToken(options: readonly string[], env: NodeJS.ProcessEnv = process.env): string {
  const command = join(import.meta.dirname, '..', 'commands', 'run.js')
  const made = spawnSync(process.execPath, [command, 'token', 'create', ...options], {
    encoding: 'utf8',
    env,
  })
  const token = /mien_[0-9A-Za-z]+/.exec(made.stdout)?.[0]
  if (token === undefined) throw new Error(`No token was made: ${made.stdout}${made.stderr}`)
  return token
}
