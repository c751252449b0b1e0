/** Simulates hosts on one machine: Linux network namespaces on one bridge. Needs root and `ip` (Debian: iproute2). */
import { execFileSync } from 'node:child_process'

export interface Host {
  /** Name for `ip netns`. */
  readonly namespace: string
  readonly address: string
}

export interface Network {
  host(name: string): Host
  remove(): void
}

/** The subnet is reserved for benchmarks (RFC 2544) and is never assigned to real hosts. */
const DEFAULT_NETWORK = { prefix: 'mien-', subnet: '198.18.7' }
const MASK = 24

/** Locally administered hardware addresses. */
const hardware = (number: number): string => `02:00:00:00:00:${number.toString(16).padStart(2, '0')}`

export const canMakeNetwork = (): boolean => {
  try {
    ip('netns list')
    return process.getuid?.() === 0
  } catch {
    return false
  }
}

/** Replaces a network with the same prefix from an earlier run. */
export function makeNetwork({ prefix, subnet } = DEFAULT_NETWORK): Network {
  const bridge = `${prefix}net`
  removeAll(prefix)
  let hosts = 0
  ip(`link add ${bridge} address ${hardware(1)} type bridge`)
  ip(`addr add ${subnet}.1/${MASK} dev ${bridge}`)
  ip(`link set ${bridge} up`)

  return {
    host(name) {
      const number = ++hosts + 1
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
    remove: () => removeAll(prefix),
  }
}

function removeAll(prefix: string): void {
  const named = (list: string) =>
    list
      .split('\n')
      .flatMap(line => line.split(/[ @]/)[0] || [])
      .filter(name => name.startsWith(prefix))
  // Removes links first: a namespace keeps its links while one of its programs runs. Removing one end of a pair
  // removes both.
  for (const name of named(ip('-brief link')))
    if (named(ip('-brief link')).includes(name)) ip(`link delete ${name}`)
  for (const name of named(ip('netns list'))) ip(`netns delete ${name}`)
}

const inside = ({ namespace }: Host, command: string): void => {
  ip(`-netns ${namespace} ${command}`)
}

/** Throws with the command's output when it fails. */
function ip(command: string): string {
  return execFileSync('ip', command.split(' '), { encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] })
}
