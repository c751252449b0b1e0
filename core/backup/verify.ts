/** Verification of all that is kept: every checksum, and whether metadata, vectors, codes and pictures agree. */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { readSite } from '../calibration/site-file.ts'
import { faultsOf } from '../files/snapshot.ts'
import { missingOf } from '../recognition/missing.ts'
import type { Stores } from '../recognition/parts.ts'
import { databaseKey } from '../sealing/database-key.ts'
import type { DataKey } from '../sealing/seal.ts'
import type { VectorStore } from '../store/store.ts'
import { verifyFiles } from '../store/verify.ts'

/** Faces whose lacks are named; the others are counted. */
const NAMED = 20

/** What is wrong in a data folder, for the operator; nothing when all is well. `stores` are those of the folder. */
export async function verifyAll(
  data: string,
  stores: Stores & { dataKey?: DataKey | undefined },
  onFaces?: (checked: number) => void,
): Promise<string[]> {
  const metadata = join(data, 'metadata.db')
  const before = await sizes(stores.vectors)
  const { dataKey } = stores
  const { faults, rows } = await verifyFiles(join(data, 'vectors'), dataKey)
  const after = await sizes(stores.vectors)
  // What is added or removed meanwhile makes a gallery larger at one of these times than its file was between.
  const codes = (gallery: string) => Math.max(before.get(gallery) ?? 0, after.get(gallery) ?? 0)
  return [
    ...(existsSync(metadata) ? faultsOf(metadata, dataKey && databaseKey(dataKey)) : []).map(
      fault => `${metadata}: ${fault}`,
    ),
    ...faults,
    ...[...rows]
      .filter(([gallery, count]) => codes(gallery) < count)
      .map(([gallery, count]) => `The gallery ${gallery} has ${count} rows and ${codes(gallery)} codes.`),
    ...(await siteFaults(data, dataKey)),
    ...(await missing(stores, onFaces)),
  ]
}

/** A site's calibration need not be there; what is there has to be whole. */
const siteFaults = (data: string, dataKey: DataKey | undefined): Promise<string[]> =>
  readSite(data, dataKey).then(
    () => [],
    (error: Error) => [error.message],
  )

/** Codes in memory of each gallery. Shards elsewhere add to those of the files here. */
async function sizes(vectors: VectorStore): Promise<Map<string, number>> {
  const galleries = await vectors.galleries()
  return new Map(
    galleries.map(({ gallery, linear, preindex, indexed }) => [gallery, linear + preindex + indexed]),
  )
}

async function missing(stores: Stores, onFaces?: (checked: number) => void): Promise<string[]> {
  const named: string[] = []
  let lacking = 0
  let checked = 0
  for await (const { faces, vectors, pictures } of missingOf(stores)) {
    checked += faces
    onFaces?.(checked)
    const lacks = [
      ...vectors.map(({ gallery, id }) => `Face ${id} has no vector in ${gallery}.`),
      ...pictures.map(({ id, kind }) => `Face ${id} has no ${kind} picture.`),
    ]
    lacking += lacks.length
    named.push(...lacks.slice(0, NAMED - named.length))
  }
  return lacking > named.length ? [...named, `${lacking - named.length} more of these.`] : named
}
