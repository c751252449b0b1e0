/** What the verbs are given: the stores they join, and the few things that differ between a service and a test. */
import { type DataFolder, dataFolder } from '../configuration/folder.ts'
import { idSource } from '../contract/ids.ts'
import { closeDatabase, type Database, openDatabase } from '../metadata/database.ts'
import { openPictureFiles, type PictureFiles } from '../pictures/files.ts'
import type { LinkKey } from '../pictures/links.ts'
import { openExactStore } from '../store/exact.ts'
import type { VectorStore } from '../store/store.ts'

/** Chips (150 x 150 RGB) in, one embedding each, in their order. */
export type Embed = (chips: readonly Uint8Array[]) => Promise<Float32Array[]>

export interface Parts {
  database: Database
  vectors: VectorStore
  pictures: PictureFiles
  /** Signs the links to pictures. */
  links: LinkKey
  embed: Embed
  /** The calibrated confidence, 0..1, of a score, -1..1; never falls when the score rises. */
  confidence(score: number): number
  /** A new face id; rises. */
  nextId(): number
  /** Unix milliseconds. */
  now(): number
}

export type OpenParts = Parts & { close(): Promise<void> }

/** Opens everything in a data folder. Throws VectorFileLocked when another process works in it. */
export async function openParts(
  data: string,
  given: Pick<Parts, 'links' | 'embed' | 'confidence'>,
): Promise<OpenParts> {
  const folder: DataFolder = await dataFolder(data)
  // The vectors come first: their lock keeps a second process from everything else.
  const vectors = openExactStore(folder.vectors)
  try {
    const database = await openDatabase(folder.metadata)
    const pictures = await openPictureFiles(folder.pictures)
    return {
      ...given,
      database,
      vectors,
      pictures,
      nextId: idSource(),
      now: Date.now,
      async close() {
        await closeDatabase(database)
        await vectors.close()
      },
    }
  } catch (error) {
    await vectors.close()
    throw error
  }
}
