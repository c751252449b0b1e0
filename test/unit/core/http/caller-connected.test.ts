/** A body that its caller does not finish. */
import { request, type Server } from 'node:http'
import { createAdaptorServer } from '@hono/node-server'
import { Hono } from 'hono'
import { untilEnd } from '#core/http/caller-connected.ts'
import { listen } from '#test/support/processes.ts'

it('is SERVICE_UNAVAILABLE, and not a failure of core, when the caller closes the connection', async () => {
  const app = new Hono()
  let arrived = () => {}
  const arriving = new Promise<void>(resolve => (arrived = resolve))
  const outcome = new Promise(resolve => {
    app.post('/', async context => {
      arrived()
      await untilEnd(context.req.arrayBuffer()).then(resolve, resolve)
      return context.text('')
    })
  })
  const server = createAdaptorServer({ fetch: app.fetch }) as Server
  const port = await listen(server)
  onTestFinished(() => void server.close())
  const sent = request({ port, host: '127.0.0.1', method: 'POST', headers: { 'content-length': 100 } })
  sent.on('error', () => {})
  sent.write('a part')
  await arriving
  sent.destroy()
  expect(await outcome).toMatchObject({ code: 'SERVICE_UNAVAILABLE' })
})
