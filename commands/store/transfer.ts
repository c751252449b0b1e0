/** `mien store export | import`: moves vectors through portable files. */
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { embedderLabel } from '../../core/embedding/label.ts'
import { chosenPack } from '../../core/operations/upkeep/chosen-pack.ts'
import { cellOf, cellsOf } from '../../core/vector-store/sharding/cells.ts'
import { exportVectors } from '../../core/vector-store/transfer/export.ts'
import { checkExport, importVectors, removeExported } from '../../core/vector-store/transfer/import.ts'
import type { VectorKey, VectorStore } from '../../core/vector-store/vector-store.ts'
import { dataKeyFor } from '../terminal/data-key.ts'
import { pathOf } from '../terminal/paths.ts'
import { UsageError } from '../terminal/usage-error.ts'
import { embedderIn } from './embedder.ts'
import { withStoppedStore, withStore } from './open.ts'
import type { StoreCommand, StoreOptions } from './options.ts'
import { withProgress } from './progress.ts'

export const exportTo: StoreCommand = async options => {
  const file = pathOf(options.subject)
  const chosen = choice(options)
  const embedder = await embedderIn(options.data)
  const work = async (store: VectorStore) => {
    const written = await withProgress('export', show =>
      exportVectors(store, { file, embedder, ...chosen, onProgress: show }),
    )
    console.log(`${written} vectors are in ${file}.`)
    if (options.dataKey)
      console.error('This file is not encrypted. Everybody who can read it has the vectors.')
    if (!options.remove) return
    await checkExport(file, embedder)
    const removed = await withProgress('remove', show =>
      removeExported(store, file, done => show(done, written)),
    )
    console.log(`${removed} vectors are removed from here.`)
  }
  await (options.remove ? withStoppedStore(options, work) : withStore(options, work))
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
  console.log(`${added} vectors are added, ${present} were there.`)
  if (taken > 0) console.error(`${taken} ids have another vector here, which stays.`)
  return taken > 0 ? 1 : 0
}

/** Throws UsageError when the option is not a range of cells. */
export function requireCells(cells: string | undefined): void {
  if (cells === undefined || cellsOf(cells)) return
  throw new UsageError(`--cells takes cells like 0-511, not "${cells}".`)
}

/** The operator's selection of vectors, as a filter and as text. */
function choice({ gallery, cells }: StoreOptions) {
  const chosen = cells === undefined ? undefined : cellsOf(cells)
  const cellSet = new Set(chosen)
  return {
    scope: `gallery ${gallery ?? 'any'}, cells ${cells ?? 'all'}`,
    wants: (key: VectorKey) =>
      (gallery === undefined || key.gallery === gallery) && (!chosen || cellSet.has(cellOf(key.id))),
  }
}
