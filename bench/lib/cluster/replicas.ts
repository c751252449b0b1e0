/** Three PostgreSQL under Patroni with etcd, in synchronous mode, each on a host of its own; and faults of the primary. */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { closeSync, existsSync, openSync, readFileSync, rmSync, statfsSync } from 'node:fs'
import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { need } from '../../benchmark.ts'
import type { Rig } from '../../rig.ts'
import type { Host, Network } from './network.ts'
import { etcdCommand, patroniSettings } from './patroni-settings.ts'

/** One PostgreSQL with its Patroni and its etcd. */
export interface Member {
  name: string
  host: Host
  /** Folder of the database, a file system of its own. */
  folder: string
}

export interface Replicas {
  /** The member that accepts writes, according to Patroni. Waits until all members are well, for at most `seconds`. */
  whenWell(seconds: number): Promise<Member>
  /** Waits until another member than this one is the primary; resolves with false when none is within `seconds`. */
  whenPromoted(former: Member, seconds: number): Promise<boolean>
  /** The address of the database with all hosts. */
  address: string
}

/** User and group of the programs, which Debian's packages create. */
const USER = 'postgres:postgres'
const VERSIONS = 'usr/lib/postgresql'

/** Bytes of the file system of one database. Each switch leaves a segment of the log there, 16 MB. */
const DISK = '1280m'
const WELL_SECONDS = 90

/** The folder of the newest PostgreSQL, inside the root. Throws `Skipped` when a program is missing. */
export async function findPostgres(root: string): Promise<string> {
  const versions = (await readdir(join(root, VERSIONS)).catch(() => [])).map(Number).filter(Boolean)
  need(versions.length > 0, 'PostgreSQL')
  for (const program of ['etcd', 'patroni']) need(runs(root, program), program)
  return `/${VERSIONS}/${Math.max(...versions)}/bin`
}

function runs(root: string, program: string): boolean {
  try {
    execFileSync('chroot', [root, program, '--version'], { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}

/** Starts the members. The programs see `root` as `/`. */
export async function startReplicas(
  root: string,
  postgres: string,
  network: Network,
  rig: Rig,
): Promise<Replicas> {
  const folder = await mkdtemp(join(root, 'tmp', 'mien-standby-'))
  rig.defer(() => rm(folder, { recursive: true, force: true }))
  const mount = (type: string, place: string, options = 'mode=755') => {
    execFileSync('mount', ['-t', type, '-o', options, type, place])
    rig.defer(() => execFileSync('umount', [place]))
  }
  // Patroni reads /proc; PostgreSQL shares memory in /dev/shm.
  if (!existsSync(join(root, 'proc', 'self'))) {
    mount('proc', join(root, 'proc'), 'rw')
    mount('tmpfs', join(root, 'dev', 'shm'), 'mode=1777')
  }
  mount('tmpfs', folder)
  const members: Member[] = ['pg1', 'pg2', 'pg3'].map(name => ({
    ...{ name, host: network.host(name), folder: join(folder, name) },
  }))
  for (const member of members) {
    await mkdir(member.folder)
    mount('tmpfs', member.folder, `size=${DISK},mode=755`)
  }
  const password = randomBytes(12).toString('hex')
  const children: ChildProcess[] = []
  rig.defer(async () => {
    for (const { host } of members) kill(pidsOf(host), 'SIGKILL')
    await Promise.all(children.map(child => child.exitCode ?? child.signalCode ?? once(child, 'exit')))
  })
  const inside = (path: string) => (root === '/' ? path : path.slice(root.length))
  const run = ({ host }: Member, log: string, command: readonly string[]) => {
    const file = openSync(join(folder, `${log}.log`), 'a')
    const asUser = ['chroot', `--userspec=${USER}`, root, ...command]
    const args = ['netns', 'exec', host.namespace, ...asUser]
    children.push(spawn('ip', args, { stdio: ['ignore', file, file] }))
    closeSync(file)
  }
  const addresses = members.map(({ name, host }) => [name, host.address] as const)
  for (const member of members) {
    const { name, host, folder: disk } = member
    const [etcd, settings] = [join(folder, `${name}-etcd`), join(folder, `${name}.json`)]
    await mkdir(etcd)
    const place = { name, address: host.address, folder: inside(disk), programs: postgres }
    await writeFile(settings, JSON.stringify(patroniSettings(place, addresses, password)))
    execFileSync('chroot', [root, 'chown', USER, inside(disk), inside(etcd), inside(settings)])
    run(member, `${name}-etcd`, etcdCommand(name, inside(etcd), addresses))
  }
  for (const member of members)
    run(member, member.name, ['patroni', inside(join(folder, `${member.name}.json`))])
  const waitWell = (seconds: number) =>
    whenWell(members, seconds).catch((cause: Error) => {
      const logs = members.flatMap(({ name }) => [`${name}-etcd`, name])
      const tails = logs.map(
        log => `${log}: ${readFileSync(join(folder, `${log}.log`), 'utf8').slice(-1_500)}`,
      )
      throw new Error(`${cause.message}\n${tails.join('\n')}`, { cause })
    })
  await createDatabase((await waitWell(WELL_SECONDS)).host.address, password)
  const hosts = members.map(({ host }) => host.address).join()
  return {
    whenWell: waitWell,
    whenPromoted: (former, seconds) =>
      whenPromoted(
        members.filter(member => member !== former),
        seconds,
      ),
    address: `postgres://mien:${password}@${hosts}/faces?target_session_attrs=read-write&sslmode=disable`,
  }
}

async function createDatabase(host: string, password: string): Promise<void> {
  const ask = async (database: string, ...statements: string[]) => {
    const client = new pg.Client({ host, database, user: 'postgres', password })
    await client.connect()
    for (const statement of statements) await client.query(statement)
    await client.end()
  }
  await ask('postgres', `create role mien login password '${password}'`, 'create database faces owner mien')
  await ask('faces', 'create extension vector')
}

/** An answer of Patroni on a host; undefined without one. */
const askPatroni = ({ host }: Member, path: string, init: RequestInit = {}): Promise<Response | undefined> =>
  fetch(`http://${host.address}:8008/${path}`, { signal: AbortSignal.timeout(1_000), ...init }).catch(
    () => undefined,
  )

interface State {
  members: { name: string; role: string; state: string }[]
}

async function whenWell(members: readonly Member[], seconds: number): Promise<Member> {
  let last: State | undefined
  for (const end = Date.now() + seconds * 1000; Date.now() < end; await sleep(250))
    for (const member of members) {
      const answer = await askPatroni(member, 'cluster')
      last = ((await answer?.json().catch(() => undefined)) as State | undefined) ?? last
      const of = (role: string, state: string) =>
        last?.members.filter(one => one.role === role && one.state === state) ?? []
      const [leader] = of('leader', 'running')
      const synchronous = of('sync_standby', 'streaming').length
      const following = synchronous + of('replica', 'streaming').length
      if (answer?.ok && leader && synchronous > 0 && following === members.length - 1)
        return members.find(({ name }) => name === leader.name)!
    }
  throw new Error(`The database was not well within ${seconds} s: ${JSON.stringify(last)}`)
}

/** Asks each Patroni whether its PostgreSQL is the primary. */
async function whenPromoted(members: readonly Member[], seconds: number): Promise<boolean> {
  for (const end = Date.now() + seconds * 1000; Date.now() < end; await sleep(200)) {
    const answers = await Promise.all(members.map(member => askPatroni(member, 'primary')))
    if (answers.some(answer => answer?.ok)) return true
  }
  return false
}

/** Ids of the processes of a host. */
const pidsOf = ({ namespace }: Host): number[] =>
  execFileSync('ip', ['netns', 'pids', namespace], { encoding: 'utf8' })
    .split('\n')
    .filter(Boolean)
    .map(Number)

/** Sends a signal to processes that may have ended. */
function kill(pids: readonly number[], signal: NodeJS.Signals): void {
  for (const pid of pids) {
    try {
      process.kill(pid, signal)
    } catch {
      // It has ended.
    }
  }
}

export interface PrimaryFault {
  name: string
  /** Seconds until the repair; a standby takes over meanwhile. */
  lasting: number
  /** A full disk may stop the writes until its repair: the time to recovery counts from there. */
  countsFromRepair?: boolean
  /** Causes the fault. Returns the function that repairs it. */
  begin(primary: Member): Promise<() => void>
}

export const primaryFaults = (network: Network): PrimaryFault[] => [
  {
    ...{ name: 'killed (-9)', lasting: 10 },
    async begin({ host }) {
      kill(pidsOf(host).filter(isPostgres), 'SIGKILL')
      return () => {}
    },
  },
  { ...{ name: 'cut off', lasting: 35 }, begin: async ({ host }) => network.isolate(host) },
  {
    ...{ name: 'frozen', lasting: 35 },
    async begin({ host }) {
      const pids = pidsOf(host)
      kill(pids, 'SIGSTOP')
      return () => kill(pids, 'SIGCONT')
    },
  },
  {
    ...{ name: 'disk full', lasting: 10, countsFromRepair: true },
    async begin({ folder }) {
      const file = join(folder, 'filler')
      const { bavail, bsize } = statfsSync(folder)
      execFileSync('fallocate', ['-l', String(bavail * bsize), file])
      return () => rmSync(file)
    },
  },
  {
    ...{ name: 'switchover', lasting: 10 },
    async begin(primary) {
      const init = { method: 'POST', body: JSON.stringify({ leader: primary.name }) }
      const answer = await askPatroni(primary, 'switchover', { ...init, signal: AbortSignal.timeout(60_000) })
      if (!answer?.ok) throw new Error(`Patroni refused the switchover: ${await answer?.text()}`)
      return () => {}
    },
  },
]

function isPostgres(pid: number): boolean {
  try {
    return readFileSync(`/proc/${pid}/comm`, 'utf8').trim() === 'postgres'
  } catch {
    return false
  }
}
