/** `npm run store -- verify`. */
import { join } from 'node:path'
import { verifyAll } from '../../core/backup/verify.ts'
import { closeDatabase, openDatabase } from '../../core/metadata/database.ts'
import { picturesBelow } from '../../core/pictures/files.ts'
import { withStore } from './open.ts'
import type { StoreCommand } from './options.ts'
import { withProgress } from './progress.ts'

export const verify: StoreCommand = options =>
  withStore(options, async vectors => {
    const database = await openDatabase(options.data)
    try {
      const stores = { database, vectors, pictures: picturesBelow(join(options.data, 'pictures')) }
      const faults = await withProgress('faces', show =>
        verifyAll(options.data, stores, checked => show(checked, checked)),
      )
      for (const fault of faults) console.error(fault)
      console.log(faults.length === 0 ? 'All is well.' : `${faults.length} faults.`)
      return faults.length === 0 ? 0 : 1
    } finally {
      await closeDatabase(database)
    }
  })
