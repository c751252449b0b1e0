/** An HTTP server on this machine that ends with its test. */
import { createServer, type RequestListener } from 'node:http'
import { onTestFinished } from 'vitest'
import { listen } from '../processes.ts'

/** Starts a server with this listener, on a free port by default, and returns its origin. */
export async function serve(listener: RequestListener, port = 0): Promise<string> {
  const server = createServer(listener)
  const bound = await listen(server, port)
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return `http://127.0.0.1:${bound}`
}
