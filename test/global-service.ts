/** One real service, started before the tests and shared by tests that need only its API. */
import { createServer } from 'node:http'
import type { TestProject } from 'vitest/node'
import { photos } from '#test/contract/requests.ts'
import { freePort, listen } from '#test/support/processes.ts'
import { startService } from '#test/support/service.ts'
import { expectVerified } from '#test/support/typed.ts'
import { sample } from './support/client.ts'

declare module 'vitest' {
  export interface ProvidedContext {
    edge: string
    core: string
    data: string
    token: string
    /** Process id of the launcher. */
    launcher: number
    /** `host:port` of a photo server that the service may fetch from despite its private address. */
    photoHost: string
    /** URL of a webhook that answers 410. */
    goneWebhook: string
    /** Port of this machine to which webhooks may go, for one test that listens there. */
    webhookPort: number
  }
}

export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const photos = await startPhotoServer()
  const gone = createServer((_, response) => response.writeHead(410).end())
  const ports = [await listen(gone), await freePort()] as const
  const service = await startService({
    env: {
      MIEN_PHOTO_HOSTS: photos.host,
      MIEN_WEBHOOK_HOSTS: ports.map(port => `127.0.0.1:${port}`).join(),
      MIEN_GAE: 'true',
    },
  })
  project.provide('edge', service.edge)
  project.provide('core', service.core)
  project.provide('data', service.data)
  project.provide('token', service.token)
  project.provide('launcher', service.pid)
  project.provide('photoHost', photos.host)
  project.provide('goneWebhook', `http://127.0.0.1:${ports[0]}/`)
  project.provide('webhookPort', ports[1])
  return async () => {
    await service.stop()
    // After all fuzzed requests, and all requests of two owners.
    expectVerified(service.data)
    await service.remove()
    photos.server.close()
    gone.close()
  }
}

/** Listens on a free loopback port: `/sample3.jpg`, `/portrait.jpg`; all else is 404. */
async function startPhotoServer() {
  const [portrait] = await photos()
  const files = new Map([
    ['/sample3.jpg', await sample(3)],
    ['/portrait.jpg', portrait],
  ])
  const server = createServer((request, response) => {
    const file = files.get(request.url ?? '')
    if (file) response.end(file)
    else response.writeHead(404).end()
  })
  return { host: `127.0.0.1:${await listen(server)}`, server }
}
