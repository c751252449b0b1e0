/** A libSQL server with a replica that takes its place when its machine is lost. */
import { type DatabaseServer, startDatabaseServer } from './database-server.ts'
import { freePort } from './processes.ts'

export interface ReplicatedDatabase {
  /** The server that takes writes, at the same address before and after a promotion. */
  primary: DatabaseServer
  /** After a promotion, it runs again only after `addReplica`. */
  replica: DatabaseServer
  /** Loses the primary with its disk. The folder of the replica becomes that of the primary. */
  promote(): Promise<void>
  /** Starts a replica with an empty folder in the place of the promoted one. */
  addReplica(): Promise<void>
  remove(): Promise<void>
}

/** Resolves when both answer. `env` is that of the primary. */
export async function startReplicatedDatabase(env: Record<string, string> = {}): Promise<ReplicatedDatabase> {
  const port = await freePort()
  const args = ['--grpc-listen-addr', `127.0.0.1:${port}`]
  const replicaArgs = ['--primary-grpc-url', `http://127.0.0.1:${port}`]
  const database = {
    primary: await startDatabaseServer({ args, env }),
    replica: await startDatabaseServer({ args: replicaArgs }),
    async promote() {
      await database.primary.remove()
      await database.replica.kill()
      const { folder } = database.replica
      database.primary = await startDatabaseServer({ port: portOf(database.primary), folder, args, env })
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

const portOf = ({ url }: DatabaseServer): number => Number(new URL(url).port)
