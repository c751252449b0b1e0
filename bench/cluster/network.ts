/**
 * Hosts on one machine: network namespaces of Linux on one bridge, with links between them that can be cut. Needs root,
 * and `ip` (Debian: iproute2).
 */
import { execFileSync } from 'node:child_process'

export interface Host {
  /** As of `ip netns`. */
  readonly namespace: string
  readonly address: string
}

/** Which packets are lost between two hosts: those of both, or those that go to the second, or those that come from it. */
export type Loss = 'both ways' | 'to' | 'from'

export interface Network {
  host(name: string): Host
  /** What goes a way is lost without a word, as behind a pulled plug. The function that is given mends it. */
  cut(near: Host, far: Host, loss: Loss): () => void
  remove(): void
}

/** The subnet is one of those for benchmarks (RFC 2544), which are nobody's real hosts. */
const MEANT = { prefix: 'mien-', subnet: '198.18.7' }
const MASK = 24

/** Hardware addresses of local administration; nobody has the last one. */
const hardware = (number: number): string => `02:00:00:00:00:${number.toString(16).padStart(2, '0')}`
const NOBODY = 255

export const canMakeNetwork = (): boolean => {
  try {
    ip('netns list')
    return process.getuid?.() === 0
  } catch {
    return false
  }
}

/** Takes the place of one with the same prefix that an earlier run left behind. This process is its first host. */
export function makeNetwork({ prefix, subnet } = MEANT): Network {
  const bridge = `${prefix}net`
  removeAll(prefix)
  const numbers = new Map<string, number>()
  ip(`link add ${bridge} address ${hardware(1)} type bridge`)
  ip(`addr add ${subnet}.1/${MASK} dev ${bridge}`)
  ip(`link set ${bridge} up`)

  const numberOf = ({ address }: Host): number => Number(address.split('.').at(-1))
  const send = (from: Host, to: Host, number: number): void =>
    inside(from, `neigh replace ${to.address} lladdr ${hardware(number)} dev eth0 nud permanent`)

  return {
    host(name) {
      const number = numbers.size + 2
      numbers.set(name, number)
      const host = { namespace: prefix + name, address: `${subnet}.${number}` }
      ip(`netns add ${host.namespace}`)
      const plug = `${prefix}${number}`
      ip(`link add ${plug} type veth peer name eth0 address ${hardware(number)} netns ${host.namespace}`)
      ip(`link set ${plug} master ${bridge} up`)
      inside(host, 'link set lo up')
      inside(host, `addr add ${host.address}/${MASK} dev eth0`)
      inside(host, 'link set eth0 up')
      return host
    },
    cut(near, far, loss) {
      const ways = [
        ...(loss === 'from' ? [] : [[near, far] as const]),
        ...(loss === 'to' ? [] : [[far, near] as const]),
      ]
      for (const [from, to] of ways) send(from, to, NOBODY)
      return () => {
        for (const [from, to] of ways) send(from, to, numberOf(to))
      }
    },
    remove: () => removeAll(prefix),
  }
}

function removeAll(prefix: string): void {
  const named = (list: string) =>
    list
      .split('\n')
      .flatMap(line => line.split(/[ @]/)[0] || [])
      .filter(name => name.startsWith(prefix))
  // Links first: a namespace keeps its own as long as a program of it lives. What has two ends goes with either.
  for (const name of named(ip('-brief link')))
    if (named(ip('-brief link')).includes(name)) ip(`link delete ${name}`)
  for (const name of named(ip('netns list'))) ip(`netns delete ${name}`)
}

const inside = ({ namespace }: Host, command: string): void => {
  ip(`-netns ${namespace} ${command}`)
}

/** Throws with what it said when it fails. */
function ip(command: string): string {
  return execFileSync('ip', command.split(' '), { encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] })
}
