/** Requests in the log of a running edge: a line with the request id, and no text of callers. */
import { inject } from 'vitest'
import { form, sample } from '#test/support/client.ts'
import { startLoggedEdge } from '../logged-edge.ts'

it('the running edge logs requests and refusals with their request_id and without text of the caller', {
  tags: 'long',
}, async () => {
  const { origin, lines } = await startLoggedEdge({ MIEN_LOG_REQUESTS: '' })
  const send = async (
    method: string,
    path: string,
    body?: FormData,
    headers: Record<string, string> = {},
  ) => {
    const init = { method, headers, ...(body && { body }) }
    const response = await fetch(origin + path, init)
    const { request_id, code } = (await response.json()) as Record<string, unknown>
    expect(response.headers.get('x-request-id')).toBe(request_id)
    return { request_id, code, status: response.status, method }
  }
  const authorization = `Bearer ${inject('token')}`
  const secret = 'Anna-Secret'
  const owner = expect.stringMatching(/^[0-9a-f]{24}$/)
  const photo = { bytes: Buffer.from(secret), name: `${secret}.jpg` }
  const refused = [
    { ...(await send('GET', `/v0/faces?${secret}=1`)), route: '/v0/faces', operation: 'listFaces' },
    {
      ...(await send('GET', '/v0/faces', undefined, { authorization: `Token ${secret}` })),
      route: '/v0/faces',
      operation: 'listFaces',
    },
    {
      ...(await send('GET', `/v0/person/id/${secret}`, undefined, { authorization })),
      route: '/v0/person/id/:id',
      operation: 'getPerson',
      owner,
    },
    {
      ...(await send('POST', '/detect', form({ photo }), { authorization })),
      route: '/detect',
      operation: 'detect',
      owner,
    },
  ]
  await expect.poll(() => lines().length).toBeGreaterThanOrEqual(refused.length)
  const written = lines().filter(({ event }) => event === 'refused')
  const measured = { time: expect.any(String), event: 'refused', ms: expect.any(Number) }
  expect(written).toEqual(refused.map(one => ({ ...measured, ...one })))

  const body = form({ photo1: await sample(1), photo2: await sample(1), mf_selector: 'biggest' })
  const headers = { authorization }
  const answered = await fetch(`${origin}/v1/verify`, { method: 'POST', headers, body })
  const requests = () => lines().filter(({ event }) => event === 'request')
  await expect.poll(requests).toEqual([
    {
      event: 'request',
      time: expect.any(String),
      request_id: answered.headers.get('x-request-id'),
      status: 200,
      code: 'OK',
      method: 'POST',
      route: '/v1/verify',
      operation: 'verify',
      owner,
      ms: expect.any(Number),
      faces: expect.any(Number),
    },
  ])
  expect(JSON.stringify(lines())).not.toContain(secret)
  expect(JSON.stringify(lines())).not.toContain(inject('token'))
})
