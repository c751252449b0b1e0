/** Starts three PostgreSQL under Patroni with etcd, in synchronous mode, each on a host of its own. */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { closeSync, existsSync, openSync, readFileSync } from 'node:fs'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import type { Host, Network } from '../cluster/network.ts'
import { type Programs, USER } from './programs.ts'
import { etcdCommand, patroniSettings } from './settings.ts'

/** One PostgreSQL with its Patroni and its etcd. */
export interface Member {
  name: string
  host: Host
  /** Folder of the database, a file system of its own. */
  folder: string
}

export interface Replicas {
  members: readonly Member[]
  /** The member that accepts writes, according to Patroni. Waits until all members are well, for at most `seconds`. */
  whenWell(seconds: number): Promise<Member>
  /** Waits until another member than this one is the primary; resolves with false when none is within `seconds`. */
  whenPromoted(former: Member, seconds: number): Promise<boolean>
  /** The address of the database with all hosts. */
  address: string
  remove(): Promise<void>
}

/** Bytes of the file system of one database. Each switch leaves a segment of the log there, 16 MB. */
const DISK = '1280m'
const WELL_SECONDS = 90

export async function startReplicas(programs: Programs, network: Network): Promise<Replicas> {
  const { root } = programs
  const folder = await mkdtemp(join(root, 'tmp', 'mien-standby-'))
  const mounts: string[] = []
  const mount = (type: string, place: string, options = 'mode=755') => {
    execFileSync('mount', ['-t', type, '-o', options, type, place])
    mounts.unshift(place)
  }
  const children: ChildProcess[] = []
  const password = randomBytes(12).toString('hex')

  // Patroni reads /proc; PostgreSQL shares memory in /dev/shm.
  if (!existsSync(join(root, 'proc', 'self'))) {
    mount('proc', join(root, 'proc'), 'rw')
    mount('tmpfs', join(root, 'dev', 'shm'), 'mode=1777')
  }
  mount('tmpfs', folder)
  const members: Member[] = ['pg1', 'pg2', 'pg3'].map(name => ({
    name,
    host: network.host(name),
    folder: join(folder, name),
  }))
  const inside = (path: string) => (root === '/' ? path : path.slice(root.length))
  const run = (host: Host, log: string, command: readonly string[]) => {
    const file = openSync(log, 'a')
    const inNamespace = ['netns', 'exec', host.namespace]
    const asUser = ['chroot', `--userspec=${USER}`, root, ...command]
    children.push(spawn('ip', [...inNamespace, ...asUser], { stdio: ['ignore', file, file] }))
    closeSync(file)
  }
  /** Ends of the logs, for messages. */
  const logTails = (names: readonly string[]) =>
    names
      .map(name => `${name}: ${readFileSync(join(folder, `${name}.log`), 'utf8').slice(-1_500)}`)
      .join('\n')
  const replicas: Replicas = {
    members,
    whenWell: seconds =>
      whenWell(members, seconds).catch((cause: Error) => {
        throw new Error(`${cause.message}\n${logTails(members.map(({ name }) => name))}`, { cause })
      }),
    whenPromoted: (former, seconds) =>
      whenPromoted(
        members.filter(member => member !== former),
        seconds,
      ),
    address: `postgres://mien:${password}@${members.map(({ host }) => host.address).join(',')}/faces?target_session_attrs=read-write&sslmode=disable`,
    async remove() {
      for (const { host } of members) kill(pidsOf(host), 'SIGKILL')
      await Promise.all(children.map(gone))
      for (const place of mounts) execFileSync('umount', [place])
      await rm(folder, { recursive: true, force: true })
    },
  }
  try {
    const addresses = members.map(({ name, host }) => [name, host.address] as const)
    for (const { name, host, folder: disk } of members) {
      await mkdir(disk)
      mount('tmpfs', disk, `size=${DISK},mode=755`)
      const etcd = join(folder, `${name}-etcd`)
      await mkdir(etcd)
      const settings = join(folder, `${name}.json`)
      const place = { name, address: host.address, folder: inside(disk), programs: programs.postgres }
      await writeFile(settings, JSON.stringify(patroniSettings(place, addresses, password)))
      execFileSync('chroot', [root, 'chown', USER, inside(disk), inside(etcd), inside(settings)])
      run(host, join(folder, `${name}-etcd.log`), etcdCommand(name, inside(etcd), addresses))
    }
    for (const { name, host } of members)
      run(host, join(folder, `${name}.log`), ['patroni', inside(join(folder, `${name}.json`))])
    const primary = await replicas.whenWell(WELL_SECONDS)
    await createDatabase(primary.host.address, password)
    return replicas
  } catch (cause) {
    const logs = logTails(['pg1-etcd', 'pg1'])
    await replicas.remove()
    throw new Error(`The replicated database did not start:\n${logs}`, { cause })
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

interface State {
  members: { name: string; role: string; state: string }[]
}

async function whenWell(members: readonly Member[], seconds: number): Promise<Member> {
  let last: unknown
  for (const end = Date.now() + seconds * 1000; Date.now() < end; await sleep(250)) {
    for (const { host } of members) {
      const url = `http://${host.address}:8008/cluster`
      const answer = await fetch(url, { signal: AbortSignal.timeout(1_000) }).catch(() => undefined)
      const state = (await answer?.json().catch(() => undefined)) as State | undefined
      last = state ?? last
      const of = (role: string, ...states: string[]) =>
        state?.members.filter(member => member.role === role && states.includes(member.state)) ?? []
      const [leader] = of('leader', 'running')
      const following = [...of('sync_standby', 'streaming'), ...of('replica', 'streaming')]
      if (leader && following.length === members.length - 1 && of('sync_standby', 'streaming').length > 0)
        return members.find(({ name }) => name === leader.name)!
    }
  }
  throw new Error(`The database was not well within ${seconds} s: ${JSON.stringify(last)}`)
}

/** Asks each Patroni whether its PostgreSQL is the primary. */
async function whenPromoted(members: readonly Member[], seconds: number): Promise<boolean> {
  for (const end = Date.now() + seconds * 1000; Date.now() < end; await sleep(200)) {
    const answers = members.map(({ host }) =>
      fetch(`http://${host.address}:8008/primary`, { signal: AbortSignal.timeout(1_000) }).then(
        ({ ok }) => ok,
        () => false,
      ),
    )
    if ((await Promise.all(answers)).includes(true)) return true
  }
  return false
}

/** Ids of the processes of a host. */
export const pidsOf = ({ namespace }: Host): number[] =>
  execFileSync('ip', ['netns', 'pids', namespace], { encoding: 'utf8' })
    .split('\n')
    .filter(Boolean)
    .map(Number)

/** Sends a signal to processes that may have ended. */
export function kill(pids: readonly number[], signal: NodeJS.Signals): void {
  for (const pid of pids) {
    try {
      process.kill(pid, signal)
    } catch {
      // It has ended.
    }
  }
}

const gone = (child: ChildProcess): Promise<void> =>
  child.exitCode !== null || child.signalCode !== null
    ? Promise.resolve()
    : new Promise(resolve => child.once('exit', () => resolve()))
