/** A port that nothing uses at the moment, for programs that cannot choose one. */
import { createServer } from 'node:net'

export const freePort = (host = '127.0.0.1'): Promise<number> =>
  new Promise(resolve => {
    const server = createServer().listen(0, host, () => {
      const { port } = server.address() as { port: number }
      server.close(() => resolve(port))
    })
  })
