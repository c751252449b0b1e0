/** A libSQL server with a replica that takes its place when its machine is lost. */
import { type DatabaseServer, startDatabaseServer } from './database-server.ts'
import { freePort } from './free-port.ts'

export interface ReplicatedDatabase {
  /** The server that takes writes, at the same address before and after a promotion. */
  primary: DatabaseServer
  replica: DatabaseServer
  /** Arguments of a replica of the primary. */
  replicaArgs: readonly string[]
  /** Loses the primary with its disk. The folder of the replica becomes that of the primary. */
  promote(): Promise<void>
  remove(): Promise<void>
}

/** Resolves when both answer. `env` is that of the primary. */
export async function startReplicatedDatabase(env: Record<string, string> = {}): Promise<ReplicatedDatabase> {
  const port = await freePort()
  const args = ['--grpc-listen-addr', `127.0.0.1:${port}`]
  const replicaArgs = ['--primary-grpc-url', `http://127.0.0.1:${port}`]
  const database = {
    replicaArgs,
    primary: await startDatabaseServer({ args, env }),
    replica: await startDatabaseServer({ args: replicaArgs }),
    async promote() {
      await database.primary.lose()
      await database.replica.kill()
      const { folder } = database.replica
      database.primary = await startDatabaseServer({
        port: Number(new URL(database.primary.url).port),
        folder,
        args,
        env,
      })
    },
    async remove() {
      await Promise.all([database.primary.remove(), database.replica.remove()])
    },
  }
  return database
}
