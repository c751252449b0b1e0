/** The door of the edge: it takes connections and passes on what they carry, because workerd cannot refuse any while it stops. */
import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { originOf } from './options.ts'

export interface Door {
  port: number
  /** From now on who comes is refused. Resolves when nobody is inside, or what they sent before has surely arrived. */
  close(): Promise<void>
}

/** What has been sent to a connection that was let in is there within this time. */
const ARRIVING_MS = 1_000

/** How often those inside are counted meanwhile. */
const COUNT_MS = 20

/** Each side may say all that it has before the other has ended. */
const SOCKET = { allowHalfOpen: true, noDelay: true }

/** Opens it before a port of this machine. Rejects where it can't listen. */
export async function openDoor(
  { host, port }: { host: string; port: number },
  inside: number,
): Promise<Door> {
  const server = createServer(SOCKET, caller =>
    join(caller, connect({ ...SOCKET, host: '127.0.0.1', port: inside })),
  )
  await once(server.listen(port, host), 'listening').catch(({ code }: NodeJS.ErrnoException) => {
    throw new Error(`${originOf(host, port)} can't be listened on (${code}).`)
  })
  const count = promisify(server.getConnections.bind(server))
  return {
    port: (server.address() as AddressInfo).port,
    async close() {
      server.close()
      for (const end = Date.now() + ARRIVING_MS; Date.now() < end && (await count()) > 0; )
        await sleep(COUNT_MS)
    },
  }
}

/** Either hears what the other says; where one breaks, so does the other. */
function join(caller: Socket, edge: Socket): void {
  caller.on('error', () => edge.resetAndDestroy())
  edge.on('error', () => caller.resetAndDestroy())
  caller.pipe(edge).pipe(caller)
  // The runtime hears nobody out once it has ended: who does not hang up then would stay for ever.
  edge.on('end', () => caller.destroySoon())
  caller.on('close', () => edge.destroy())
}
