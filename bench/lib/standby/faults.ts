/** Faults of a primary: killed, cut off, frozen, without disk space, and demoted on purpose. */
import { execFileSync } from 'node:child_process'
import { readFileSync, rmSync, statfsSync } from 'node:fs'
import { join } from 'node:path'
import type { Network } from '../cluster/network.ts'
import { kill, type Member, pidsOf } from './database.ts'

export interface PrimaryFault {
  name: string
  /** Seconds until the repair; a standby takes over meanwhile. */
  lasting: number
  /** A full disk may stop the writes until its repair: the time to recovery counts from there. */
  countsFromRepair: boolean
  /** Causes the fault. Returns the function that repairs it. */
  begin(primary: Member): Promise<() => void>
}

export const primaryFaults = (network: Network): PrimaryFault[] => [
  {
    name: 'killed (-9)',
    lasting: 10,
    countsFromRepair: false,
    async begin({ host }) {
      kill(pidsOf(host).filter(isPostgres), 'SIGKILL')
      return () => {}
    },
  },
  {
    name: 'cut off',
    lasting: 35,
    countsFromRepair: false,
    begin: async ({ host }) => network.isolate(host),
  },
  {
    name: 'frozen',
    lasting: 35,
    countsFromRepair: false,
    async begin({ host }) {
      const pids = pidsOf(host)
      kill(pids, 'SIGSTOP')
      return () => kill(pids, 'SIGCONT')
    },
  },
  {
    name: 'disk full',
    lasting: 10,
    countsFromRepair: true,
    async begin({ folder }) {
      const file = join(folder, 'filler')
      const { bavail, bsize } = statfsSync(folder)
      execFileSync('fallocate', ['-l', String(bavail * bsize), file])
      return () => rmSync(file)
    },
  },
  {
    name: 'switchover',
    lasting: 10,
    countsFromRepair: false,
    async begin({ name, host }) {
      const init = { method: 'POST', body: JSON.stringify({ leader: name }) }
      const answer = await fetch(`http://${host.address}:8008/switchover`, init)
      if (!answer.ok) throw new Error(`Patroni refused the switchover: ${await answer.text()}`)
      return () => {}
    },
  },
]

const isPostgres = (pid: number): boolean => {
  try {
    return readFileSync(`/proc/${pid}/comm`, 'utf8').trim() === 'postgres'
  } catch {
    return false
  }
}
