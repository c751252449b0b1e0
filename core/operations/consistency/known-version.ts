/** Refuses a data folder of a later version of the service before anything in it changes. */
import { join } from 'node:path'
import { readInstallation } from '../../files/record.ts'
import { type MetadataSettings, requireKnownMetadata } from '../../metadata/database.ts'
import { recordedBucket } from '../../pictures/open.ts'
import { requireKnownStore } from '../../vector-store/open.ts'

/**
 * Throws InstallationDamaged, PicturesRefused or LayoutRefused when a later version wrote a record or the vectors, and
 * when a record is damaged. Changes nothing.
 */
export async function requireKnownFiles(data: string): Promise<void> {
  await readInstallation(data)
  await recordedBucket(data)
  await requireKnownStore(join(data, 'vectors'))
}

/** Like `requireKnownFiles`. Throws DatabaseRefused when a later version migrated the metadata. */
export async function requireKnownVersion(data: string, settings: MetadataSettings): Promise<void> {
  await requireKnownFiles(data)
  await requireKnownMetadata(data, settings)
}
