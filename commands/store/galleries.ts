/**
 * `mien store stat | index | compact | verify | export | import`: shows, indexes, compacts and checks stored vectors, and moves
 * vectors through portable files.
 */

import { existsSync } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { countText } from '../../contract/counted.ts'
import { removeLeftovers } from '../../core/backup/leftovers.ts'
import { verifyAll } from '../../core/backup/verify.ts'
import { readOptions } from '../../core/configuration/options.ts'
import { embedderLabel } from '../../core/embedding/label.ts'
import { closeDatabase, compactMetadata, type Database, openDatabase } from '../../core/metadata/database.ts'
import { picturesOf } from '../../core/pictures/open.ts'
import { isPostgres } from '../../core/vector-store/postgres/address.ts'
import { compactStore } from '../../core/vector-store/rewrite-store.ts'
import { recordedLayout } from '../../core/vector-store/sharding/layout.ts'
import { exportVectors } from '../../core/vector-store/transfer/export.ts'
import { checkExport, importVectors } from '../../core/vector-store/transfer/import.ts'
import type { GalleryStatistics, IndexState } from '../../core/vector-store/vector-store.ts'
import { CALIBRATION_NAMES, thresholdRows, worstCase } from '../../models/calibrations.ts'
import { chosenPack } from '../../models/packs.ts'
import { printJson, UsageError } from '../terminal/command-line.ts'
import { dataKeyFor, picturesGiven } from '../terminal/data-folder.ts'
import { pathOf } from '../terminal/paths.ts'
import { withProgress } from '../terminal/progress.ts'
import { printTable } from '../terminal/table.ts'
import { runIdle } from './move.ts'
import { embedderIn, type StoreCommand, type StoreOptions, withStoppedStore, withStore } from './open.ts'
import type { InspectedStore } from './running-store.ts'

/** Polling interval of the state of an index. */
const POLL_MS = 200

export const stat: StoreCommand = options =>
  withStore(options, async store => {
    const galleries = (await store.galleries()).map(documentOf)
    if (options.json) printJson(galleries)
    else {
      printTable(galleries.map(rowOf), 'There are no galleries.')
      await printThresholds(options)
    }
    return 0
  })

/** Field names are documented in docs/command-line.md. */
const documentOf = (gallery: GalleryStatistics) => ({
  gallery: gallery.gallery,
  linear: gallery.linear,
  preindex: gallery.preindex,
  indexed: gallery.indexed,
  deleted: gallery.preindexDeleted + gallery.indexedDeleted,
  index_file: gallery.indexFile ?? null,
})

const rowOf = ({ index_file, ...counts }: ReturnType<typeof documentOf>) => ({
  ...counts,
  index: index_file ?? 'none',
})

/** Prints the measured error rates of the named thresholds in both tables of the pack, and which table the next start uses. */
async function printThresholds({ data, pack: preferred, optionsFile }: StoreOptions) {
  const { name: pack, embedder } = await chosenPack(data, preferred)
  const { options } = await readOptions({ data, optionsFile }, process.env)
  for (const name of CALIBRATION_NAMES) {
    const measured = embedder.calibration?.measured?.[name]
    const chosen = name === options.calibration ? ', chosen by MIEN_CALIBRATION or as the default' : ''
    if (!embedder.calibration?.[name]) continue
    console.log(`\nPack ${pack}, calibration "${name}"${chosen}:`)
    if (!measured) {
      console.log('The false matches at its thresholds were not measured by gender and group.')
      continue
    }
    printTable(thresholdRows(measured), '')
    console.log(worstCase('medium', measured.medium))
  }
}

export const index: StoreCommand = options => {
  const { subject: gallery } = options
  return withStore(options, async store => {
    if (!(await store.gallery(gallery))) throw new Error(`There is no gallery ${gallery}.`)
    const { state } = await withProgress('index', show => buildIndex(store, gallery, show))
    console.log(state === 'ready' ? 'The index is ready.' : `The index is not made: ${state}.`)
    return state === 'ready' ? 0 : 1
  })
}

async function buildIndex(
  store: InspectedStore,
  gallery: string,
  show: (done: number, total: number) => void,
): Promise<IndexState> {
  let current = await store.startIndex(gallery)
  while (current.state === 'building') {
    show(Math.round(current.progress * 100), 100)
    await delay(POLL_MS)
    current = await store.indexState(gallery)
  }
  return current
}

export const compact: StoreCommand = async options => {
  const { data, dataKey, database } = options
  const removed = await compactStore(join(data, 'vectors'), dataKey)
  await runIdle(options, () => removeLeftovers(data))
  for (const path of removed) console.log(`Removed, since it was set aside as damaged: ${path}`)
  if (!database) await compactMetadata(data, dataKey)
  console.log('The files are compact.')
  if (database) console.log('The metadata in the database is unchanged: compact it with the database.')
  const layout = (await recordedLayout(join(data, 'vectors'))) ?? []
  if (layout.some(({ address }) => isPostgres(address)))
    console.log('Vectors in PostgreSQL are not compacted: see "PostgreSQL as a shard" in docs/operations.md.')
  return 0
}

export const verify: StoreCommand = options =>
  withStore(options, async vectors => {
    const { data, dataKey } = options
    let opened: Database | undefined
    const database = async (): Promise<Database> => {
      opened = await openDatabase(data, options)
      return opened
    }
    try {
      const pictures = await picturesOf(data, { ...(await picturesGiven()), dataKey })
      const faults = await withProgress('faces', show =>
        verifyAll(data, { database, vectors, pictures, dataKey }, checked => show(checked, checked)),
      )
      for (const fault of faults) console.error(fault)
      console.log(faults.length === 0 ? 'All is well.' : `${countText(faults.length, 'fault')}.`)
      return faults.length === 0 ? 0 : 1
    } finally {
      if (opened) await closeDatabase(opened)
    }
  })

/** Throws UsageError for a file that exists and a gallery that does not. */
export const exportTo: StoreCommand = async options => {
  const file = pathOf(options.subject)
  if (existsSync(file)) throw new UsageError(`${file} exists. Remove it, or name a new file.`)
  const embedder = await embedderIn(options.data)
  const { gallery } = options
  const written = await withStore(options, async store => {
    if (gallery !== undefined && !(await store.gallery(gallery)))
      throw new UsageError(`There is no gallery ${gallery}.`)
    return withProgress('export', show => exportVectors(store, { file, embedder, gallery, onProgress: show }))
  })
  console.log(`${countText(written, 'vector is', 'vectors are')} in ${file}.`)
  if (options.dataKey) console.error('This file is not encrypted. Everybody who can read it has the vectors.')
  return 0
}

export const importFrom: StoreCommand = async options => {
  const file = pathOf(options.subject)
  const embedder = embedderLabel(await chosenPack(options.data))
  const total = await checkExport(file, embedder)
  const dataKey = await dataKeyFor(options.data)
  await mkdir(join(options.data, 'vectors'), { recursive: true, mode: 0o700 })
  const { added, present, taken } = await withStoppedStore({ ...options, dataKey, embedder }, store =>
    withProgress('import', show => importVectors(store, file, done => show(done, total))),
  )
  console.log(
    `${countText(added, 'vector is', 'vectors are')} added, ${present} ${present === 1 ? 'was' : 'were'} there.`,
  )
  if (taken > 0) console.error(`${countText(taken, 'id has', 'ids have')} another vector here, which stays.`)
  return taken > 0 ? 1 : 0
}
