/** PostgreSQL in WebAssembly with pgvector, as a process: `node pglite.ts PORT FOLDER`. The next port answers when it is ready. */
import { createServer } from 'node:http'
import { PGlite } from '@electric-sql/pglite'
import { vector } from '@electric-sql/pglite-pgvector'
import { PGLiteSocketServer } from '@electric-sql/pglite-socket'

const [, , port = '', folder = ''] = process.argv
const db = await PGlite.create(folder, { extensions: { vector } })
const server = new PGLiteSocketServer({ db, host: '0.0.0.0', port: Number(port), maxConnections: 50 })
await server.start()
createServer((_, response) => response.end('ready')).listen(Number(port) + 1)
process.once('SIGTERM', async () => {
  await server.stop()
  await db.close()
  process.exit()
})
