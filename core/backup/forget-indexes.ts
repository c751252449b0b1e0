/** Marks the indexes of a copied data folder as to be made. Backups have none: the first start makes them. */
import { join } from 'node:path'
import type { DataKey } from '../encryption/encrypt.ts'
import { servedShards } from '../vector-store/generation.ts'
import { openRowFile } from '../vector-store/rows/row-file.ts'
import { rowForm } from '../vector-store/rows/row-form.ts'
import { toBeMade } from '../vector-store/rows/row-reader.ts'
import { ROWS } from '../vector-store/shard/shard-open.ts'

export async function forgetIndexes(copy: string, dataKey?: DataKey): Promise<void> {
  for (const shard of await servedShards(join(copy, 'vectors'))) {
    const file = openRowFile(join(copy, 'vectors', shard, ROWS), rowForm(dataKey))
    try {
      const indexes = file.indexes()
      file.transaction(writer => {
        for (const { gallery } of indexes) writer.setIndex(toBeMade(gallery))
      })
    } finally {
      file.close()
    }
  }
}
