/** Where things lie in the data folder. */
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'

export interface DataFolder {
  metadata: string
  vectors: string
  pictures: string
}

/** The paths inside a data folder, whose folders are made when they are missing. Nobody but its owner may look in. */
export async function dataFolder(data: string): Promise<DataFolder> {
  await mkdir(join(data, 'vectors'), { recursive: true, mode: 0o700 })
  return {
    metadata: join(data, 'metadata.db'),
    vectors: join(data, 'vectors', 'exact.db'),
    pictures: join(data, 'pictures'),
  }
}
