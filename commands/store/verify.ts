/** `mien store verify`: checks checksums, and the consistency of metadata, vectors and pictures. */
import { verifyAll } from '../../core/backup/verify.ts'
import { closeDatabase, type Database, openDatabase } from '../../core/metadata/database.ts'
import { picturesOf } from '../../core/pictures/open.ts'
import { picturesGiven } from '../terminal/pictures.ts'
import { withStore } from './open.ts'
import type { StoreCommand } from './options.ts'
import { withProgress } from './progress.ts'

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
      console.log(faults.length === 0 ? 'All is well.' : `${faults.length} faults.`)
      return faults.length === 0 ? 0 : 1
    } finally {
      if (opened) await closeDatabase(opened)
    }
  })
