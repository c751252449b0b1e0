/** The workers of an edge: how many requests each has, which one gets the next, and a new process for one that dies. */
import { Agent } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Workerd } from './workerd.ts'

export interface Worker {
  port: number
  /** Kept connections: closed before workerd closes them, which it does after 5 seconds. */
  agent: Agent
  /** POSTs under way. Nearly all of them analyse a photo, which occupies the process. */
  posts: number
  /** Requests under way, POSTs included. */
  requests: number
}

export interface Workers {
  /**
   * The worker with the fewest POSTs under way, and of those the one with the fewest requests; the first one on a tie.
   * Another one than `except` where there is another. Undefined while all of them are being replaced.
   */
  pick(except?: Worker): Worker | undefined
  /** Lets requests under way finish, and resolves when all processes have exited. Kills those that are left after the time. */
  stop(graceMs: number): Promise<void>
}

/** How long a connection may rest before it is closed. */
const REST_MS = 4_000

/** A process that lives for less than this counts as a failed start. */
const SHORT_MS = 10_000

/** Failed starts in a row, with no other worker alive, after which the edge gives up. */
const TRIES = 3

/** Pause before the second attempt in a row; doubled for each further one. */
const PAUSE_MS = 500
const LONGEST_PAUSE_MS = 8_000

/** Starts so many. Rejects when one of them does not start. Calls `givenUp` when later none can be kept alive. */
export async function startWorkers(
  count: number,
  start: () => Promise<Workerd>,
  givenUp: () => void,
): Promise<Workers> {
  const alive = new Map<Workerd, Worker>()
  let stopping = false

  const join = (process: Workerd): Workerd => {
    alive.set(process, newWorker(process.port))
    return process
  }
  const gone = async (process: Workerd): Promise<void> => {
    await process.gone
    alive.get(process)?.agent.destroy()
    alive.delete(process)
  }
  const keep = async (process: Workerd | undefined, failures: number): Promise<void> => {
    const began = Date.now()
    if (process) await gone(process)
    if (stopping) return
    const failed = process && Date.now() - began >= SHORT_MS ? 0 : failures + 1
    if (failed >= TRIES && alive.size === 0) return givenUp()
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

const pauseAfter = (failures: number): number =>
  failures < 2 ? 0 : Math.min(PAUSE_MS * 2 ** (failures - 2), LONGEST_PAUSE_MS)

export const newWorker = (port: number): Worker => ({
  port,
  agent: new Agent({ keepAlive: true, timeout: REST_MS, scheduling: 'lifo' }),
  posts: 0,
  requests: 0,
})

/** See `pick`. */
export function leastLoaded(workers: readonly Worker[], except?: Worker): Worker | undefined {
  const others = workers.filter(worker => worker !== except)
  const [first, ...rest] = others.length > 0 ? others : workers
  return rest.reduce((best, worker) => (isLess(worker, best!) ? worker : best), first)
}

const isLess = (a: Worker, b: Worker): boolean =>
  a.posts < b.posts || (a.posts === b.posts && a.requests < b.requests)
