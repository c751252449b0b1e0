/** One real service, started before the tests and shared by tests that need only its API. */
import type { TestProject } from 'vitest/node'
import { startService } from '../bench/harness/service.ts'
import { newToken } from '../bench/harness/tokens.ts'
import { startPhotoServer } from './photo-server.ts'
import { expectVerified } from './verified.ts'

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
    /** `host:port` of a photo server that the service may fetch from despite its private address. */
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
    // After all fuzzed requests, and those of two owners.
    expectVerified(service.data)
    await service.remove()
    photos.server.close()
  }
}
