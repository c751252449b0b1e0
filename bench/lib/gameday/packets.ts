/** Faults of the network between hosts, with `iptables`: lost packets, half-open connections, delays. */
import { execFileSync, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import type { Fault } from '../cluster/faults.ts'
import type { Node } from '../cluster/node.ts'

export const hasIptables = spawnSync('iptables', ['--version']).status === 0

const LOST = 0.05
/** Delay in each direction. */
const DELAY_MS = 100

/** Adds a rule to a host. Returns the function that removes it. */
function rule({ host }: Node, text: string): () => void {
  const run = (manner: '-A' | '-D') =>
    execFileSync(
      'ip',
      ['netns', 'exec', host.namespace, 'iptables', ...text.replace('-A', manner).split(' ')],
      {
        stdio: 'pipe',
      },
    )
  run('-A')
  return () => void run('-D')
}

/** Each host loses a part of the packets that it receives. */
export const lossy = (nodes: readonly Node[]): Fault => ({
  name: `${100 * LOST} % of packets lost`,
  async begin() {
    const undo = nodes.map(node =>
      rule(node, `-A INPUT -m statistic --mode random --probability ${LOST} -j DROP`),
    )
    return async () => {
      for (const step of undo) step()
    }
  },
})

/** The part loses its connections, and its peers are not told: no packet that ends a connection arrives. */
export const halfOpen = (node: Node): Fault => ({
  name: `connections to ${node.name} half open`,
  async begin() {
    const undo = ['RST', 'FIN'].map(flag =>
      rule(node, `-A OUTPUT -p tcp --tcp-flags ${flag} ${flag} -j DROP`),
    )
    await node.stop('SIGKILL')
    await node.start()
    return async () => {
      for (const step of undo) step()
    }
  },
})

/** Sends the connections from these parts to another one through a forwarder that delays both directions. */
export const delayed = (from: readonly Node[], to: Node, bridge: string): Fault => ({
  name: `${to.name} delayed by ${2 * DELAY_MS} ms`,
  async begin() {
    const { hostname, port } = new URL(to.origin)
    const forwarder = await startForwarder(bridge, hostname, Number(port))
    const undo = from.map(node =>
      rule(
        node,
        `-t nat -A OUTPUT -p tcp -d ${hostname} --dport ${port} -j DNAT --to-destination ${bridge}:${forwarder.port}`,
      ),
    )
    return async () => {
      for (const step of undo) step()
      forwarder.stop()
    }
  },
})

async function startForwarder(address: string, host: string, port: number) {
  const open = new Set<Socket>()
  const server = createServer({ allowHalfOpen: true }, near => {
    const far = connect({ host, port, allowHalfOpen: true })
    for (const [one, other] of [
      [near, far],
      [far, near],
    ] as const) {
      open.add(one)
      one.setNoDelay(true)
      one.on('data', bytes => setTimeout(() => other.writable && other.write(bytes), DELAY_MS))
      one.on('end', () => setTimeout(() => other.end(), DELAY_MS))
      one.on('error', () => other.destroy())
      one.on('close', () => open.delete(one))
    }
  }).listen(0, address)
  await once(server, 'listening')
  return {
    port: (server.address() as AddressInfo).port,
    stop() {
      server.close()
      for (const socket of open) socket.resetAndDestroy()
    },
  }
}
