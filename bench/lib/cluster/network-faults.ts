/** Faults between hosts: a silent name server, lost and delayed packets, half-open connections. */
import { execFileSync, spawnSync } from 'node:child_process'
import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { addressRecord, CODES, questionOf, response, TYPE_A } from '../../harness/dns.ts'
import type { Rig } from '../../rig.ts'
import { type Fault, undoAll } from './faults.ts'
import type { Node } from './node.ts'

const DOMAIN = 'mien.test'
const PORT = 53
/** `ip netns exec` shows these files to the programs of a host as those of /etc. */
const FILES = '/etc/netns'

/** A name server for the hosts of a cluster, which can fall silent. */
export function nameServer(address: string, rig: Rig) {
  const addresses = new Map<string, string>()
  const socket = createSocket('udp4')
  rig.defer(() => socket.close())
  let isSilent = false
  socket.on('message', (question, from) => {
    if (!isSilent) socket.send(answerTo(question, addresses), from.port, from.address)
  })
  return {
    /** Registers a host, and returns its name. */
    register({ name, address: of, namespace }: { name: string; address: string; namespace: string }): string {
      const folder = `${FILES}/${namespace}`
      mkdirSync(folder, { recursive: true })
      rig.defer(() => rmSync(folder, { recursive: true }))
      writeFileSync(`${folder}/resolv.conf`, `nameserver ${address}\n`)
      const host = `${name}.${DOMAIN}`
      addresses.set(host, of)
      return host
    },
    /** The address exists with the network only. */
    async listen(): Promise<void> {
      socket.bind(PORT, address)
      await once(socket, 'listening')
    },
    gone: {
      name: 'DNS gone',
      async begin() {
        isSilent = true
        return () => {
          isSilent = false
        }
      },
    } satisfies Fault,
  }
}

/** The address of a known name, no records of other types, or "no such name". */
function answerTo(query: Buffer, addresses: ReadonlyMap<string, string>): Buffer {
  const { name, type } = questionOf(query)
  const address = addresses.get(name)
  if (address === undefined) return response(query, CODES.nxdomain, [])
  return response(query, CODES.fine, type === TYPE_A ? [addressRecord(address)] : [])
}

export const hasIptables = spawnSync('iptables', ['--version']).status === 0

const LOST = 0.05
/** Delay in each direction. */
const DELAY_MS = 100

/** Adds a rule of iptables to a host. Returns the function that removes it. */
function rule({ host }: Node, text: string): () => void {
  const run = (manner: '-A' | '-D') => {
    const words = text.replace('-A', manner).split(' ')
    execFileSync('ip', ['netns', 'exec', host.namespace, 'iptables', ...words], { stdio: 'pipe' })
  }
  run('-A')
  return () => run('-D')
}

/** Each host loses a part of the packets that it receives. */
export const lossy = (nodes: readonly Node[]): Fault => ({
  name: `${100 * LOST} % of packets lost`,
  async begin() {
    const drop = `-A INPUT -m statistic --mode random --probability ${LOST} -j DROP`
    const undo = nodes.map(node => rule(node, drop))
    return undoAll(undo)
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
    return undoAll(undo)
  },
})

/** Sends the connections from these parts to another one through a forwarder that delays both directions. */
export const delayed = (from: readonly Node[], to: Node, bridge: string): Fault => ({
  name: `${to.name} delayed by ${2 * DELAY_MS} ms`,
  async begin() {
    const { hostname, port } = new URL(to.origin)
    const forwarder = await startForwarder(bridge, hostname, Number(port))
    const target = `-d ${hostname} --dport ${port} -j DNAT --to-destination ${bridge}:${forwarder.port}`
    const undo = from.map(node => rule(node, `-t nat -A OUTPUT -p tcp ${target}`))
    return undoAll([...undo, forwarder.stop])
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
