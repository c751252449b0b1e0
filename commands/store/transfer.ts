/** `mien store export | import`: moves vectors through portable files. */

import { existsSync } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { counted } from '../../contract/counted.ts'
import { embedderLabel } from '../../core/embedding/label.ts'
import { exportVectors } from '../../core/vector-store/transfer/export.ts'
import { checkExport, importVectors } from '../../core/vector-store/transfer/import.ts'
import { chosenPack } from '../../models/packs.ts'
import { UsageError } from '../terminal/command-line.ts'
import { dataKeyFor } from '../terminal/data-folder.ts'
import { pathOf } from '../terminal/paths.ts'
import { embedderIn, type StoreCommand, withStoppedStore, withStore } from './open.ts'
import { withProgress } from './progress.ts'

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
  console.log(`${counted(written, 'vector is', 'vectors are')} in ${file}.`)
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
    `${counted(added, 'vector is', 'vectors are')} added, ${present} ${present === 1 ? 'was' : 'were'} there.`,
  )
  if (taken > 0) console.error(`${counted(taken, 'id has', 'ids have')} another vector here, which stays.`)
  return taken > 0 ? 1 : 0
}
