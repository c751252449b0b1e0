/** Limits the open files of a running part to those that it has, with `prlimit` (Debian: util-linux). */
import { execFileSync } from 'node:child_process'
import { readdirSync } from 'node:fs'
import { descendantsOf } from '../../harness/processes.ts'
import type { Fault } from '../cluster/faults.ts'
import type { Node } from '../cluster/node.ts'

/** Files that each process of the part may open beyond those that it has. */
const SPARE = 2

export const withoutFiles = (node: Node): Fault => ({
  name: `${node.name} without free files`,
  async begin() {
    const first = node.pid()!
    const processes = [first, ...(await descendantsOf(first, ''))]
    const undo = processes.map(pid => {
      const before = limitsOf(pid)
      const open = Math.max(...readdirSync(`/proc/${pid}/fd`).map(Number))
      setLimits(pid, `${open + 1 + SPARE}:${before.hard}`)
      return () => setLimits(pid, `${before.soft}:${before.hard}`)
    })
    return async () => {
      for (const step of undo) step()
    }
  },
})

function limitsOf(pid: number): { soft: string; hard: string } {
  const args = ['--pid', String(pid), '--nofile', '--noheadings', '--raw', '--output', 'SOFT,HARD']
  const [soft, hard] = execFileSync('prlimit', args, { encoding: 'utf8' }).trim().split(/\s+/)
  return { soft: soft!, hard: hard! }
}

/** Does nothing for a process that has ended. */
function setLimits(pid: number, limits: string): void {
  try {
    execFileSync('prlimit', ['--pid', String(pid), `--nofile=${limits}`], { stdio: 'ignore' })
  } catch {
    // The process has ended.
  }
}
