/** Real cores with a shared database server and a shard in PostgreSQL, for tests that kill and freeze them. */
import { cp, mkdir, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { type DatabaseServer, startDatabaseServer } from '#bench/harness/database-server.ts'
import { decodeFrame, encodeFrame } from '#contract/rpc/frame.ts'
import { type RpcOperation, type RpcRequest, type RpcResponse, rpcPath } from '#contract/rpc/operations.ts'
import { signedHeaders, signingKey } from '#contract/rpc/signature.ts'
import { openSecrets } from '#core/configuration/secrets.ts'
import { embedderLabel } from '#core/embedding/label.ts'
import { STANDARD_PACK } from '#models/packs.ts'
import { type Core, startCore } from '../unit/core/core-process.ts'
import { temporaryFolder } from '../unit/core/folder.ts'
import { edgeHeaders } from '../unit/core/http/rpc/edge-headers.ts'
import { servePglite } from '../unit/core/vector-store/postgres/database.ts'

/** Answer of a core: the status, and the answer or the error code. */
export type Told<V extends RpcOperation> =
  | { status: 200; answer: RpcResponse<V>; blobs: Uint8Array[] }
  | { status: number; answer: { code: string }; blobs: Uint8Array[] }

export interface Cluster {
  database: DatabaseServer
  /** Data folder of each core. */
  folders: string[]
  /** File with the list of shards. */
  shards: string
  /** Starts or restarts a core; resolves when the core is ready. */
  start(core: number, environment?: Record<string, string>): Promise<Core>
  /** Calls an operation of a core. Rejects without an answer. */
  ask<V extends RpcOperation>(
    core: number,
    verb: V,
    request: RpcRequest<V>,
    blobs?: readonly Uint8Array[],
  ): Promise<Told<V>>
}

/** Prepares `count` stopped cores with one picture folder and the secrets of the first. */
export async function openCluster(count: number): Promise<Cluster> {
  const folder = await temporaryFolder()
  const database = await startDatabaseServer()
  onTestFinished(() => database.remove())
  const postgres = await servePglite()
  onTestFinished(() => postgres.close())
  const list = join(folder, 'shards.json')
  await writeFile(list, JSON.stringify([{ address: postgres.base, cells: '0-1023' }]))
  await mkdir(join(folder, 'pictures'))
  const folders = Array.from({ length: count }, (_, i) => join(folder, `core-${i}`))
  const secrets = await openSecrets(folders[0]!)
  for (const [i, data] of folders.entries()) {
    await mkdir(data, { recursive: true })
    await symlink(join(folder, 'pictures'), join(data, 'pictures'))
    if (i > 0) await cp(join(folders[0]!, 'secrets.json'), join(data, 'secrets.json'))
  }
  const key = await signingKey(secrets.edge[0].key)
  const ports: number[] = []
  return {
    database,
    folders,
    shards: list,
    async start(number, environment = {}) {
      const core = startCore(folders[number]!, {
        MIEN_DATABASE_URL: database.url,
        MIEN_SHARDS: list,
        MIEN_PERSON_IDENTIFY: 'true',
        ...environment,
      })
      ports[number] = await core.port
      return core
    },
    async ask(number, verb, request, blobs = []) {
      const body = encodeFrame(request, [...blobs])
      const path = rpcPath(verb)
      const signed = await signedHeaders(key, { method: 'POST', path, body }, Date.now())
      const headers = { ...signed, ...edgeHeaders(embedderLabel(STANDARD_PACK)) }
      const url = `http://127.0.0.1:${ports[number]}${path}`
      const response = await fetch(url, { method: 'POST', headers, body })
      const { header, blobs: pictures } = decodeFrame(new Uint8Array(await response.arrayBuffer()))
      return { status: response.status, answer: header as never, blobs: pictures }
    },
  }
}
