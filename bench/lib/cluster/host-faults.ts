/** Faults of one host: a wrong clock, too little memory, no free files, a full disk. */
import { execFileSync } from 'node:child_process'
import {
  closeSync,
  existsSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  rmdirSync,
  rmSync,
  statfsSync,
  writeFileSync,
  writeSync,
} from 'node:fs'
import { arch } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { descendantsOf } from '../../harness/processes.ts'
import type { Rig } from '../../rig.ts'
import { type Fault, undoAll } from './faults.ts'
import type { Node } from './node.ts'

const CPU: Record<string, string> = { x64: 'x86_64', arm64: 'aarch64' }
/** libfaketime (Debian: faketime), in the variant for programs with threads. */
const FAKETIME = `/usr/lib/${CPU[arch()]}-linux-gnu/faketime/libfaketimeMT.so.1`

export const hasFaketime = existsSync(FAKETIME)

const HOUR = 3_600
const JUMP_MS = 1_500
/** Offsets in seconds that a jumping clock takes in turn. */
const JUMPS = [HOUR, 0, -HOUR, 90, -90, 0]

/** Moves the clocks of parts: ahead, behind, and jumping while they run. Monotonic clocks stay right. */
export function movedClocks(folder: string) {
  const moved = new Set<string>()
  const fileOf = (name: string) => join(folder, `clock-of-${name}`)
  const set = ({ name }: Node, seconds: number) =>
    writeFileSync(fileOf(name), `${seconds < 0 ? '' : '+'}${seconds}\n`)
  /** Restarts the part with its clock under control, or with the clock of the machine. */
  const restart = async (node: Node, isMoved: boolean) => {
    if (isMoved) moved.add(node.name)
    else moved.delete(node.name)
    await node.stop('SIGTERM')
    // A core with a wrong clock does not start: its bucket refuses the signature.
    await node.start().catch(error => isMoved || Promise.reject(error))
  }
  const off = (node: Node, seconds: number, how: string): Fault => ({
    name: `clock of ${node.name} ${how}`,
    async begin() {
      set(node, seconds)
      await restart(node, true)
      return () => restart(node, false)
    },
  })
  return {
    /** Words before the command of a part: empty while its clock is right. */
    launcher: (name: string): string[] =>
      moved.has(name)
        ? [
            ...['env', `LD_PRELOAD=${FAKETIME}`, 'FAKETIME_DONT_FAKE_MONOTONIC=1', 'FAKETIME_NO_CACHE=1'],
            `FAKETIME_TIMESTAMP_FILE=${fileOf(name)}`,
          ]
        : [],
    faults: (node: Node): Fault[] => [
      off(node, HOUR, 'an hour ahead'),
      off(node, -HOUR, 'an hour behind'),
      {
        name: `clock of ${node.name} jumps`,
        async begin() {
          set(node, 0)
          await restart(node, true)
          let jumps = 0
          const timer = setInterval(() => set(node, JUMPS[jumps++ % JUMPS.length]!), JUMP_MS)
          return () => {
            clearInterval(timer)
            set(node, 0)
          }
        },
      },
    ],
  }
}

const GROUP = 'mien-gameday'
const CGROUPS_1 = '/sys/fs/cgroup/memory'
const CGROUPS_2 = '/sys/fs/cgroup'
/** The limit as a part of the memory that the part uses when it is well. */
const SHARE = 0.75
/** A service manager restarts a part after this time. */
const RESTART_MS = 1_000
/** A group is busy until its killed processes are gone. */
const ENDING_MS = 2_000

/**
 * Limits the memory of parts with control groups of Linux, version 1 or 2, and restarts a part when the kernel kills it.
 * Undefined where this process may not make control groups.
 */
export function memoryGroups(rig: Rig) {
  const isFirst = existsSync(CGROUPS_1)
  const root = join(isFirst ? CGROUPS_1 : CGROUPS_2, GROUP)
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
  rig.defer(async () => {
    for (const folder of groups) endAll(folder)
    await sleep(ENDING_MS)
    for (const folder of [...groups, root]) rmdirSync(folder)
  })
  const usedBy = (name: string): number => {
    const stat = readFileSync(join(folderOf(name), 'memory.stat'), 'utf8')
    return Number(/^(?:total_rss|anon) (\d+)$/m.exec(stat)?.[1])
  }
  return {
    /** Words before the command of a part, which start it in its group. */
    launcher: (name: string): string[] => [
      ...['sh', '-c', 'echo $$ > "$0/cgroup.procs" && exec "$@"'],
      folderOf(name),
    ],
    /** Limits the part to less than it uses, until the repair. */
    limited: (node: Node): Fault => ({
      name: `${node.name} killed for memory`,
      async begin() {
        const bytes = Math.floor(usedBy(node.name) * SHARE)
        await node.stop('SIGKILL')
        endAll(folderOf(node.name))
        const file = join(folderOf(node.name), limit)
        writeFileSync(file, String(bytes))
        const over = Promise.withResolvers<void>()
        let isOver = false
        const supervise = async () => {
          while (!isOver) {
            // A start that the kernel ends rejects.
            await node.start().catch(() => undefined)
            await Promise.race([node.ended(), over.promise])
            if (!isOver) await sleep(RESTART_MS)
          }
        }
        const supervised = supervise()
        return async () => {
          isOver = true
          over.resolve()
          writeFileSync(file, none)
          await supervised
          if (node.pid() === undefined) await node.start()
        }
      },
    }),
  }
}

/** Kills what is left of a part, as a service manager does: the edge's own processes outlive their killed parent. */
function endAll(folder: string): void {
  for (const pid of readFileSync(join(folder, 'cgroup.procs'), 'utf8').split('\n').filter(Boolean))
    process.kill(Number(pid), 'SIGKILL')
}

/** Files that each process of the part may open beyond those that it has. */
const SPARE = 2

/** Limits the open files of a running part to those that it has, with `prlimit` (Debian: util-linux). */
export const withoutFiles = (node: Node): Fault => ({
  name: `${node.name} without free files`,
  async begin() {
    const first = node.pid()!
    const undo = [first, ...(await descendantsOf(first, ''))].map(pid => {
      const query = ['--pid', String(pid), '--nofile', '--noheadings', '--raw', '--output', 'SOFT,HARD']
      const [soft, hard] = execFileSync('prlimit', query, { encoding: 'utf8' }).trim().split(/\s+/)
      const open = Math.max(...readdirSync(`/proc/${pid}/fd`).map(Number))
      setFileLimits(pid, `${open + 1 + SPARE}:${hard}`)
      return () => setFileLimits(pid, `${soft}:${hard}`)
    })
    return undoAll(undo)
  },
})

function setFileLimits(pid: number, limits: string): void {
  try {
    execFileSync('prlimit', ['--pid', String(pid), `--nofile=${limits}`], { stdio: 'ignore' })
  } catch {
    // The process has ended.
  }
}

const DISK_MB = 512

/** Mounts a small file system in memory on the folder of a part. Returns the function that unmounts it. */
export function smallDisk(folder: string): () => void {
  execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${DISK_MB}m`, 'tmpfs', folder], { stdio: 'pipe' })
  // Lazy: the file system disappears when its last file is closed.
  return () => void execFileSync('umount', ['-l', folder], { stdio: 'pipe' })
}

/** Fills the disk of a part to its last byte. `folder` contains the folders of all parts. */
export const fullDisk = (node: Node, folder: string): Fault => ({
  name: `disk of ${node.name} full`,
  async begin() {
    const file = join(folder, node.name, 'filled-by-others')
    fill(file)
    // Other writers may free space meanwhile.
    const timer = setInterval(() => fill(file), 200)
    return () => {
      clearInterval(timer)
      rmSync(file)
    }
  },
})

function fill(path: string): void {
  const { bavail, bsize } = statfsSync(join(path, '..'))
  const file = openSync(path, 'a')
  const bytes = Buffer.alloc(bsize, 1)
  try {
    for (let i = 0; i < bavail; i++) writeSync(file, bytes)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error
  } finally {
    closeSync(file)
  }
}
