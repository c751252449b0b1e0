/** A TCP proxy before a database that cuts its connections, holds them up, or takes none. */
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { onTestFinished } from 'vitest'
import type { PostgresAddress } from '../../../../../core/vector-store/postgres/address.ts'

export interface BreakingProxy {
  /** That of the database, through the proxy. */
  address: PostgresAddress
  /** Ends all connections now. */
  cut(): void
  /** Ends each connection that is made from now on after so many bytes of questions; never, when undefined. */
  cutAfter(bytes: number | undefined): void
  /** Ends a connection when this statement has passed, and its answer has not; undefined lets all pass. */
  cutBehind(statement: string | undefined): void
  /** Connections stay, and nothing comes through. */
  hold(): void
  /** Takes connections, and passes everything on. It does so from its start on. */
  serve(): Promise<void>
  /** Takes no connections. */
  stop(): Promise<void>
}

/** For the length of one test. */
export async function breakingProxy(target: PostgresAddress): Promise<BreakingProxy> {
  const open = new Set<Socket>()
  let left: number | undefined
  let fatal: string | undefined
  let port = 0
  const server = createServer(client => {
    const upstream = connect(target.port, target.host)
    const end = () => {
      for (const socket of [client, upstream]) open.delete(socket.destroy())
    }
    for (const socket of [client, upstream]) {
      open.add(socket)
      socket.on('error', end).on('close', end)
    }
    let bytes = left ?? Number.POSITIVE_INFINITY
    client.on('data', chunk => {
      upstream.write(chunk.subarray(0, bytes))
      bytes -= chunk.length
      if (bytes <= 0 || (fatal !== undefined && chunk.includes(`${fatal}\0`))) end()
    })
    upstream.pipe(client)
  })
  const cut = () => {
    for (const socket of open) socket.destroy()
  }
  const proxy: BreakingProxy = {
    address: target,
    cut,
    cutAfter: bytes => {
      left = bytes
      cut()
    },
    cutBehind: statement => {
      fatal = statement
    },
    hold: () => {
      for (const socket of open) socket.pause()
    },
    async serve() {
      for (const socket of open) socket.resume()
      if (!server.listening) await new Promise<void>(resolve => server.listen(port, '127.0.0.1', resolve))
      port = (server.address() as AddressInfo).port
      proxy.address = { ...target, host: '127.0.0.1', port }
    },
    async stop() {
      const closed = new Promise<void>(resolve => server.close(() => resolve()))
      cut()
      await closed
    },
  }
  await proxy.serve()
  onTestFinished(async () => {
    if (server.listening) await proxy.stop()
  })
  return proxy
}
