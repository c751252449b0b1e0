/** The edge of the last release with this core: every operation that it has works. */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, it, onTestFinished } from 'vitest'
import { clientOf, type Send } from '#bench/harness/client.ts'
import { startService } from '#bench/harness/service.ts'
import { createToken } from '#bench/harness/tokens.ts'
import { callEveryOperation, firstEvent } from '../edge/openapi/answers.ts'
import { startReleasedEdge } from './released-edge.ts'

/** Origin of a webhook that answers 410. */
async function goneWebhook(): Promise<string> {
  const server = createServer((_, response) => response.writeHead(410).end())
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
}

interface Document {
  paths: Record<string, Record<string, { operationId: string }>>
}

it('the edge of the last release answers each of its operations with this core', {
  tags: 'long',
  timeout: 300_000,
}, async () => {
  const hook = await goneWebhook()
  const service = await startService({ env: { MIEN_GAE: 'true', MIEN_WEBHOOK_HOSTS: new URL(hook).host } })
  onTestFinished(async () => {
    await service.stop()
    await service.remove()
  })
  const released = await startReleasedEdge(service.data, service.core)
  const token = createToken(['--owner', 'ann', '--data', service.data])
  const [earlier, now] = [clientOf(released, token), clientOf(service.edge, token)]
  // Operations that the last release does not have are left to this version's edge: later calls need their results.
  const added: { method: string; path: string }[] = []
  const send: Send = async (method, path, ...rest) => {
    const answer = await earlier(method, path, ...rest)
    if (answer.status !== 405 && !(answer.status === 404 && answer.body.code === 'NOT_FOUND')) return answer
    added.push({ method, path: path.replace(/\?.*/, '') })
    return now(method, path, ...rest)
  }
  const answers = await callEveryOperation('v1', send, path => firstEvent(released + path, token), hook)

  const { paths } = (await earlier('GET', '/docs/v1')).body as Document
  const names = Object.values(paths).flatMap(operations =>
    Object.values(operations).map(({ operationId }) => operationId),
  )
  expect(names.length).toBeGreaterThan(40)
  expect(names.filter(name => !answers.has(name))).toEqual([])
  const has = ({ method, path }: { method: string; path: string }) =>
    Object.entries(paths).some(
      ([template, operations]) =>
        method.toLowerCase() in operations &&
        new RegExp(`^/v1${template.replace(/\{\w+\}/g, '[^/]+')}$`).test(path),
    )
  expect(added.filter(has)).toEqual([])
})
