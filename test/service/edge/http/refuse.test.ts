/** Requests refused before their bodies are read, on connections that stay open. */
import { Agent, request } from 'node:http'
import { inject } from 'vitest'

/** Sends a body over the agent's only connection; resolves with the status and whether the connection was reused. */
function post(
  agent: Agent,
  path: string,
  bytes: number,
  token: string,
): Promise<{ status: number | undefined; isSame: boolean }> {
  const asked = request(inject('edge') + path, {
    agent,
    method: 'POST',
    headers: { authorization: `Token ${token}`, 'content-type': 'image/jpeg', 'content-length': bytes },
  })
  return new Promise((resolve, reject) => {
    asked.on('error', reject)
    asked.on('response', answer => {
      answer.resume()
      answer.on('end', () => resolve({ status: answer.statusCode, isSame: asked.reusedSocket }))
    })
    asked.end(Buffer.alloc(bytes))
  })
}

it.each([
  { path: '/v0/face', bytes: 900_000, status: 401 },
  { path: '/nowhere', bytes: 200_000, status: 404, token: inject('token') },
])(
  'a refused request leaves the connection open for the next request: $status after $bytes bytes',
  async ({ path, bytes, status, token = 'nonsense' }) => {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 })
    onTestFinished(() => agent.destroy())
    await post(agent, path, bytes, token)
    for (let i = 0; i < 8; i++)
      expect(await post(agent, path, bytes, token)).toEqual({ status, isSame: true })
  },
)
