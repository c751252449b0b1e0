/** Cores with a shared database that are killed, frozen and disconnected during enrolments: no face is lost, repeated or assigned to a wrong person. */
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { expect, it, onTestFinished } from 'vitest'
import { enrolment, OWNER } from '#bench/harness/sample-faces.ts'
import { LIMITS } from '#contract/limits.ts'
import { tokenHash } from '#contract/model/token.ts'
import type { RpcRequest } from '#contract/rpc/operations.ts'
import { readLayout } from '#core/configuration/shards.ts'
import { closeDatabase, openDatabase } from '#core/metadata/database.ts'
import { createToken, listTokens, revokeToken } from '#core/metadata/issue-tokens.ts'
import { nextFaceKeys } from '#core/metadata/queries/faces.ts'
import { nextIntents } from '#core/metadata/queries/intents.ts'
import { ownerNamed } from '#core/metadata/queries/owners.ts'
import { openStores, type Stores } from '#core/operations/services.ts'
import { kept, keptOf, keyed } from '../service/core/operations/world.ts'
import { temporaryFolder } from '../unit/core/folder.ts'
import { type Cluster, openCluster } from './cluster.ts'

const PHOTOS = fileURLToPath(new URL('../../node_modules/@vladmandic/face-api/demo/', import.meta.url))

/** Chips and thumbnails of the biggest faces of some photos, from a core. */
async function people(
  cluster: Cluster,
): Promise<{ faces: RpcRequest<'enrol'>['faces']; blobs: Uint8Array[] }[]> {
  const found = []
  for (const name of ['sample1', 'sample2', 'sample4', 'sample6']) {
    const photo = await readFile(join(PHOTOS, `${name}.jpg`))
    const request = { param: 'photo', selection: { selector: 'biggest' as const, boxes: [] } }
    const { answer, blobs } = await cluster.ask(0, 'photo.analyze', request, [photo])
    if ('selected' in answer) found.push({ faces: answer.selected, blobs })
  }
  return found
}

/** Enrols one face, at the next core with the same key until an answer has the status 200. */
async function enrolled(
  cluster: Cluster,
  { faces, blobs }: Awaited<ReturnType<typeof people>>[number],
  key: string,
  cores: readonly number[],
) {
  const request = enrolment(1, { ...(await keyed(key, 'request')), meta: key, faces })
  for (let tries = 0; ; tries++) {
    const core = cores[tries % cores.length]!
    const told = await cluster.ask(core, 'enrol', request, blobs).catch(() => undefined)
    if (told?.status === 200 && 'faces' in told.answer) return told.answer.faces[0]!
    if (told) expect(told).toMatchObject({ status: 503, answer: { code: 'SERVICE_UNAVAILABLE' } })
    await sleep(200)
  }
}

/** The stores, opened as by one more core. */
async function lookedInto(cluster: Cluster): Promise<Stores> {
  const database = { url: cluster.database.url }
  const shards = await readLayout(cluster.shards)
  const stores = await openStores(cluster.folders.at(-1)!, { database, shards })
  onTestFinished(() => stores.close())
  return stores
}

async function withOwner(cluster: Cluster): Promise<string> {
  const data = await temporaryFolder()
  const database = { url: cluster.database.url }
  const opened = await openDatabase(data, { database })
  await ownerNamed(opened, { id: OWNER, name: 'first', created: 0 })
  await closeDatabase(opened)
  return data
}

it('cores lose, repeat and misassign no face while cores are killed and frozen and the database restarts', {
  tags: 'long',
  timeout: 400_000,
}, async () => {
  const cluster = await openCluster(4)
  const data = await withOwner(cluster)
  const cores = await Promise.all([0, 1, 2].map(core => cluster.start(core)))
  const known = await people(cluster)
  expect(known.length).toBeGreaterThan(2)
  const keys = Array.from({ length: 36 }, (_, i) => `key ${i}`)
  const post = async (key: string, i: number) => {
    await sleep(i * 150)
    return enrolled(cluster, known[i % known.length]!, key, [i % 3, (i + 1) % 3, (i + 2) % 3])
  }
  const posts = Promise.all(keys.map(post))
  // Their errors are thrown below, where they are awaited.
  posts.catch(() => {})
  await sleep(1_200)
  cores[1]!.child.kill('SIGKILL')
  await sleep(1_000)
  cores[2]!.child.kill('SIGSTOP')
  await sleep(1_000)
  await cluster.database.kill()
  await sleep(500)
  await cluster.database.start()
  // The frozen core's lease ends, and another core reconciles its intents; then the frozen core continues.
  await sleep(LIMITS.leaseMs + LIMITS.reconcileEveryMs)
  cores[2]!.child.kill('SIGCONT')
  const faces = await posts

  const stores = await lookedInto(cluster)
  const none = async () =>
    (await nextIntents(stores.database, 0, { before: Number.MAX_SAFE_INTEGER }, 1)).length === 0
  for (let tries = 0; !(await none()) && tries < 100; tries++) await sleep(1_000)
  expect(await none()).toBe(true)
  const rows = await nextFaceKeys(stores.database, 0, 1_000)
  expect(rows.map(({ id }) => id).sort()).toEqual(faces.map(({ id }) => id).sort())
  expect(new Set(faces.map(({ meta }) => meta)).size).toBe(keys.length)
  const persons = Map.groupBy(faces, ({ meta }) => Number(meta.slice(4)) % known.length)
  for (const [, theirs] of persons) expect(new Set(theirs.map(face => face.person_id)).size).toBe(1)
  expect(new Set(faces.map(face => face.person_id)).size).toBe(known.length)
  expect(await kept(stores)).toEqual(keptOf(...rows.map(({ id }) => ({ id }))))

  const database = { url: cluster.database.url }
  const token = await createToken({ data, database, owner: 'another', name: 'to be revoked' })
  const request = { tokenHash: (await tokenHash(token))! }
  for (const core of [0, 2]) expect(await cluster.ask(core, 'caller', request)).toMatchObject({ status: 200 })
  const fresh = (await listTokens(data, { database })).find(({ name }) => name === 'to be revoked')
  await revokeToken(data, fresh!.id, { database })
  for (const core of [0, 2]) expect(await cluster.ask(core, 'caller', request)).toMatchObject({ status: 401 })
})
