/** Moves the clock of a part with libfaketime (Debian: faketime). Monotonic clocks stay right. */
import { existsSync, writeFileSync } from 'node:fs'
import { arch } from 'node:os'
import { join } from 'node:path'
import type { Fault } from '../cluster/faults.ts'
import type { Node } from '../cluster/node.ts'

const CPU: Record<string, string> = { x64: 'x86_64', arm64: 'aarch64' }
/** The variant for programs with threads. */
const LIBRARY = `/usr/lib/${CPU[arch()]}-linux-gnu/faketime/libfaketimeMT.so.1`

export const hasFaketime = existsSync(LIBRARY)

const HOUR = 3_600
const JUMP_MS = 1_500
/** Offsets in seconds that a jumping clock takes in turn. */
const JUMPS = [HOUR, 0, -HOUR, 90, -90, 0]

export interface Clocks {
  /** Words before the command of a part: empty while its clock is right. */
  launcher(name: string): string[]
  /** The clocks of this part: ahead, behind, and jumping while it runs. */
  faults(node: Node): Fault[]
}

/** Keeps the offsets in files of the folder. */
export function movedClocks(folder: string): Clocks {
  const moved = new Set<string>()
  const fileOf = (name: string) => join(folder, `clock-of-${name}`)
  const set = (node: Node, seconds: number) =>
    writeFileSync(fileOf(node.name), `${seconds < 0 ? '' : '+'}${seconds}\n`)

  /** Restarts the part with its clock under control, or with the clock of the machine. */
  const restart = async (node: Node, isMoved: boolean) => {
    if (isMoved) moved.add(node.name)
    else moved.delete(node.name)
    await node.stop('SIGTERM')
    // A core with a wrong clock does not start: its bucket refuses the signature.
    await node.start().catch(error => isMoved || Promise.reject(error))
  }
  const off = (node: Node, seconds: number, name: string): Fault => ({
    name,
    async begin() {
      set(node, seconds)
      await restart(node, true)
      return () => restart(node, false)
    },
  })
  return {
    launcher: name =>
      moved.has(name)
        ? [
            'env',
            `LD_PRELOAD=${LIBRARY}`,
            'FAKETIME_DONT_FAKE_MONOTONIC=1',
            'FAKETIME_NO_CACHE=1',
            `FAKETIME_TIMESTAMP_FILE=${fileOf(name)}`,
          ]
        : [],
    faults: node => [
      off(node, HOUR, `clock of ${node.name} an hour ahead`),
      off(node, -HOUR, `clock of ${node.name} an hour behind`),
      {
        name: `clock of ${node.name} jumps`,
        async begin() {
          set(node, 0)
          await restart(node, true)
          let jumps = 0
          const timer = setInterval(() => set(node, JUMPS[jumps++ % JUMPS.length]!), JUMP_MS)
          return async () => {
            clearInterval(timer)
            set(node, 0)
          }
        },
      },
    ],
  }
}
