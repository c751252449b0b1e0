/** An HTTP server on this machine that ends with its test. */
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { onTestFinished } from 'vitest'

/** Starts a server with this listener, on a free port by default, and returns its origin. */
export async function served(listener: RequestListener, port = 0): Promise<string> {
  const server = createServer(listener)
  await new Promise<void>(resolve => server.listen(port, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}
