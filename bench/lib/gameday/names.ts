/** A name server for the hosts of a cluster, which can fall silent. */
import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import type { Fault } from '../cluster/faults.ts'

const DOMAIN = 'mien.test'
const PORT = 53
/** `ip netns exec` shows these files to the programs of a host as those of /etc. */
const FILES = '/etc/netns'

export interface NameServer {
  /** Registers a host, and returns its name. */
  register(host: { name: string; address: string; namespace: string }): string
  /** Answers no question until the repair. */
  gone: Fault
  remove(): void
}

/** Waits to listen until `listen`, because the address exists with the network only. */
export function nameServer(address: string): NameServer & { listen(): Promise<void> } {
  const addresses = new Map<string, string>()
  const folders = new Set<string>()
  const socket = createSocket('udp4')
  let isSilent = false
  socket.on('message', (question, from) => {
    if (!isSilent) socket.send(answerTo(question, addresses), from.port, from.address)
  })
  return {
    register({ name, address: of, namespace }) {
      const folder = `${FILES}/${namespace}`
      mkdirSync(folder, { recursive: true })
      folders.add(folder)
      writeFileSync(`${folder}/resolv.conf`, `nameserver ${address}\n`)
      const host = `${name}.${DOMAIN}`
      addresses.set(host, of)
      return host
    },
    async listen() {
      socket.bind(PORT, address)
      await once(socket, 'listening')
    },
    gone: {
      name: 'DNS gone',
      async begin() {
        isSilent = true
        return async () => {
          isSilent = false
        }
      },
    },
    remove() {
      socket.close()
      for (const folder of folders) rmSync(folder, { recursive: true })
    },
  }
}

const HEADER_BYTES = 12
const TYPE_A = 1
const SECONDS_TO_LIVE = 0
/** Flags of a response: authoritative; and with the code "no such name". */
const [FOUND, NOT_FOUND] = [0x8400, 0x8403]

/** A response to one question (RFC 1035): the address of a known name, no records of other types, or "no such name". */
export function answerTo(question: Buffer, addresses: ReadonlyMap<string, string>): Buffer {
  const labels: string[] = []
  let at = HEADER_BYTES
  for (let length = question[at]!; length > 0; length = question[at]!) {
    labels.push(question.toString('latin1', at + 1, at + 1 + length))
    at += 1 + length
  }
  const asked = question.subarray(HEADER_BYTES, at + 5)
  const address = addresses.get(labels.join('.').toLowerCase())
  const hasAnswer = address !== undefined && question.readUInt16BE(at + 1) === TYPE_A
  const header = Buffer.alloc(HEADER_BYTES)
  question.copy(header, 0, 0, 2)
  header.writeUInt16BE(address === undefined ? NOT_FOUND : FOUND, 2)
  header.writeUInt16BE(1, 4)
  header.writeUInt16BE(hasAnswer ? 1 : 0, 6)
  if (!hasAnswer) return Buffer.concat([header, asked])
  // The name as a pointer to the question, type A, class IN, time to live, four bytes.
  const record = Buffer.from([0xc0, HEADER_BYTES, 0, TYPE_A, 0, 1, 0, 0, 0, SECONDS_TO_LIVE, 0, 4])
  return Buffer.concat([header, asked, record, Buffer.from(address.split('.').map(Number))])
}
