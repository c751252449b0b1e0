/** Limits the memory of a part with a control group of Linux, version 1 or 2, and restarts the part when the kernel kills it. */
import { existsSync, mkdirSync, readFileSync, rmdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Fault } from '../cluster/faults.ts'
import type { Node } from '../cluster/node.ts'

export interface MemoryGroups {
  /** Words before the command of a part, which start it in its group. */
  launcher(name: string): string[]
  /** Limits the part to less than it uses, until the repair. */
  limited(node: Node): Fault
  remove(): Promise<void>
}

const NAME = 'mien-gameday'
const VERSION_1 = '/sys/fs/cgroup/memory'
const VERSION_2 = '/sys/fs/cgroup'
/** The limit as a part of the memory that the part uses when it is well. */
const SHARE = 0.75
/** A service manager restarts a part after this time. */
const RESTART_MS = 1_000
/** A group is busy until its killed processes are gone. */
const ENDING_MS = 2_000

/** Undefined where the machine has no control groups that this process may make. */
export function memoryGroups(): MemoryGroups | undefined {
  const isFirst = existsSync(VERSION_1)
  const root = join(isFirst ? VERSION_1 : VERSION_2, NAME)
  const [limit, none] = isFirst ? ['memory.limit_in_bytes', '-1'] : ['memory.max', 'max']
  const groups = new Set<string>()
  const folderOf = (name: string): string => {
    const folder = join(root, name)
    mkdirSync(folder, { recursive: true })
    groups.add(folder)
    return folder
  }
  try {
    mkdirSync(root, { recursive: true })
    if (!isFirst) writeFileSync(join(root, 'cgroup.subtree_control'), '+memory')
    writeFileSync(join(folderOf('probe'), limit), none)
  } catch {
    return undefined
  }
  const usedBy = (name: string): number => {
    const stat = readFileSync(join(folderOf(name), 'memory.stat'), 'utf8')
    return Number(/^(?:total_rss|anon) (\d+)$/m.exec(stat)?.[1])
  }
  return {
    launcher: name => ['sh', '-c', 'echo $$ > "$0/cgroup.procs" && exec "$@"', folderOf(name)],
    limited: node => ({
      name: `${node.name} killed for memory`,
      async begin() {
        const bytes = Math.floor(usedBy(node.name) * SHARE)
        await node.stop('SIGKILL')
        endAll(folderOf(node.name))
        const file = join(folderOf(node.name), limit)
        writeFileSync(file, String(bytes))
        let isOver = false
        const supervised = (async () => {
          while (!isOver) {
            // A start that the kernel ends rejects.
            await node.start().catch(() => undefined)
            if (!isOver) await Promise.race([node.ended(), until(() => isOver)])
            if (!isOver) await sleep(RESTART_MS)
          }
        })()
        return async () => {
          isOver = true
          writeFileSync(file, none)
          await supervised
          if (node.pid() === undefined) await node.start()
        }
      },
    }),
    async remove() {
      for (const folder of groups) endAll(folder)
      await sleep(ENDING_MS)
      for (const folder of [...groups, root]) rmdirSync(folder)
    },
  }
}

/** Kills what is left of a part, as a service manager does: the edge's own processes outlive their killed parent. */
function endAll(folder: string): void {
  for (const pid of readFileSync(join(folder, 'cgroup.procs'), 'utf8').split('\n').filter(Boolean))
    process.kill(Number(pid), 'SIGKILL')
}

async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await sleep(100)
}
