/** PostgreSQL in WebAssembly with pgvector, as a process: `node pglite.ts ADDRESS PORT FOLDER`. The next port answers when it is ready. */
import { createServer } from 'node:http'
import { PGlite } from '@electric-sql/pglite'
import { vector } from '@electric-sql/pglite-pgvector'
import { PGLiteSocketServer } from '@electric-sql/pglite-socket'

const [, , host = '', port = '', folder = ''] = process.argv
const db = await PGlite.create(folder, { extensions: { vector } })
const server = new PGLiteSocketServer({ db, host, port: Number(port), maxConnections: 50 })
await server.start()
createServer((_, response) => response.end('ready')).listen(Number(port) + 1, host)
process.once('SIGTERM', async () => {
  await server.stop()
  await db.close()
  process.exit()
})
