/** Manages the workers of an edge: counts their requests, selects the least loaded one, and replaces processes that die. */
import { Agent } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Workerd } from './workerd.ts'

export interface Worker {
  port: number
  /** Keep-alive connections. They are closed before workerd closes them after 5 seconds. */
  agent: Agent
  /** Active POST requests. Nearly all of them analyze a photo. An analysis occupies the process. */
  posts: number
  /** Active requests, including POSTs. */
  requests: number
}

export interface Workers {
  /**
   * The worker with the fewest active POSTs, then the fewest requests, then the first. Avoids `except` when there is
   * another worker. Undefined while all workers are being replaced.
   */
  pick(except?: Worker): Worker | undefined
  /**
   * Lets active requests finish, and resolves when all processes have exited. Kills remaining processes after `graceMs`
   * milliseconds.
   */
  stop(graceMs: number): Promise<void>
}

/** Idle time after which a connection is closed. */
const IDLE_MS = 4_000

/** A process that exits sooner counts as a failed start. */
const MIN_LIFETIME_MS = 10_000

/** Consecutive failed starts, with no other worker alive, after which the edge gives up. */
const MAX_FAILURES = 3

/** Pause before the second consecutive attempt, doubled for each further one, and its maximum. */
const FIRST_PAUSE_MS = 500
const LONGEST_PAUSE_MS = 8_000

/**
 * Starts `count` workers. Rejects when one of them does not start. Calls `onFailure` when later no worker can be kept
 * alive.
 */
export async function startWorkers(
  count: number,
  start: () => Promise<Workerd>,
  onFailure: () => void,
): Promise<Workers> {
  const alive = new Map<Workerd, Worker>()
  let stopping = false

  const join = (process: Workerd): Workerd => {
    alive.set(process, newWorker(process.port))
    return process
  }
  const gone = async (process: Workerd) => {
    await process.gone
    alive.get(process)?.agent.destroy()
    alive.delete(process)
  }
  const keep = async (process: Workerd | undefined, failures: number) => {
    const began = Date.now()
    if (process) await gone(process)
    if (stopping) return
    const failed = process && Date.now() - began >= MIN_LIFETIME_MS ? 0 : failures + 1
    if (failed >= MAX_FAILURES && alive.size === 0) return onFailure()
    console.error('A worker of the edge has died and is replaced.')
    await sleep(pauseAfter(failed))
    return keep(await start().then(join, () => undefined), failed)
  }

  const first = await Promise.all(Array.from({ length: count }, start))
  for (const process of first) void keep(join(process), 0)
  return {
    pick: except => leastLoaded([...alive.values()], except),
    async stop(graceMs) {
      stopping = true
      const processes = [...alive.keys()]
      for (const process of processes) process.kill('SIGTERM')
      const all = Promise.all(processes.map(({ gone }) => gone))
      await Promise.race([all, sleep(graceMs, undefined, { ref: false })])
      for (const process of alive.keys()) process.kill('SIGKILL')
      await all
    },
  }
}

const pauseAfter = (failures: number) =>
  failures < 2 ? 0 : Math.min(FIRST_PAUSE_MS * 2 ** (failures - 2), LONGEST_PAUSE_MS)

export const newWorker = (port: number): Worker => ({
  port,
  agent: new Agent({ keepAlive: true, timeout: IDLE_MS, scheduling: 'lifo' }),
  posts: 0,
  requests: 0,
})

/** Implements `Workers.pick`. */
export function leastLoaded(workers: readonly Worker[], except?: Worker): Worker | undefined {
  const others = workers.filter(worker => worker !== except)
  const [first, ...rest] = others.length > 0 ? others : workers
  return rest.reduce((best, worker) => (isLess(worker, best!) ? worker : best), first)
}

const isLess = (a: Worker, b: Worker) => a.posts < b.posts || (a.posts === b.posts && a.requests < b.requests)
