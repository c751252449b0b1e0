/** A TCP proxy in front of a database that cuts, stalls or refuses connections. */
import { connect, createServer, type Socket } from 'node:net'
import type { PostgresAddress } from '#core/vector-store/postgres/address.ts'
import { listen } from '#test/support/processes.ts'

interface BreakingProxy {
  /** The address of the database through the proxy. */
  address: PostgresAddress
  /** Closes all connections. */
  cut(): void
  /** Cuts each new connection after so many bytes of requests; undefined: never. */
  cutAfter(bytes: number | undefined): void
  /** Cuts a connection after this statement has passed, before its answer; undefined: never. */
  cutBehind(statement: string | undefined): void
  /** Stalls all connections. */
  hold(): void
  /** Accepts and forwards connections, as it does from its start. */
  serve(): Promise<void>
  /** Refuses connections. */
  stop(): Promise<void>
}

/** Starts a proxy, which stops with the test. */
export async function breakingProxy(target: PostgresAddress): Promise<BreakingProxy> {
  const open = new Set<Socket>()
  let left: number | undefined
  let fatal: string | undefined
  let port = 0
  const server = createServer(client => {
    const { host, port } = target.hosts[0]!
    const upstream = connect(port, host)
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
      if (!server.listening) port = await listen(server, port)
      proxy.address = { ...target, hosts: [{ host: '127.0.0.1', port }] }
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
