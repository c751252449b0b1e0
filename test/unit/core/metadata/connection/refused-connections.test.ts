/** Requests to a server that does not listen: they wait for it for a limited time, and a sent request is never repeated. */
import { retryRefusedConnections } from '#core/metadata/connection/availability.ts'
import { freePort } from '#test/support/processes.ts'
import { serve } from '#test/support/servers/served.ts'

/** Sends requests to this origin without a time limit, and counts the attempts. */
function asking(origin: string) {
  const tried = { times: 0 }
  const ask = retryRefusedConnections(
    request => {
      tried.times++
      return fetch(request)
    },
    () => Number.POSITIVE_INFINITY,
  )
  return {
    tried,
    ask: () => ask(new Request(origin, { method: 'POST', body: 'a question' })),
  }
}

it('retryRefusedConnections waits for a restarted server, and sends it the whole request', async () => {
  const port = await freePort()
  const { tried, ask } = asking(`http://127.0.0.1:${port}`)
  const asked = Promise.all([ask(), ask()])
  await expect.poll(() => tried.times).toBeGreaterThan(3)
  await serve((request, response) => request.pipe(response), port)
  for (const answer of await asked) expect(await answer.text()).toBe('a question')
})

it('retryRefusedConnections never repeats a request that was sent', async () => {
  const { tried, ask } = asking(await serve(request => request.socket.destroy()))
  await expect(ask()).rejects.toThrow()
  expect(tried.times).toBe(1)
})
