/** `mien backup drill`: restores the newest backup into a temporary folder, and compares it with the data. */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { BackupRefused } from '../../core/backup/contents.ts'
import { DRILL_FOLDER, drill } from '../../core/backup/repository/drill.ts'
import { writeOperation } from '../../core/metadata/audit-log/entries.ts'
import { DRILL_COMPLETED } from '../../core/operations/upkeep/backup-times.ts'
import type { GlobalOptions } from '../terminal/command-line.ts'
import { givenKey, metadataOf } from '../terminal/data-folder.ts'
import { pathOf } from '../terminal/paths.ts'
import { embedderOf, openRepository, openSource } from './open.ts'

/** Returns 1 after printing what differs. Throws BackupRefused for a damaged backup, and when nothing could be compared. */
export async function runDrill(given: GlobalOptions & { in?: string }, name: string): Promise<number> {
  const source = await openSource(given.data)
  const folder = given.in === undefined ? join(source.data, DRILL_FOLDER) : pathOf(given.in)
  if (given.in !== undefined && existsSync(folder))
    throw new BackupRefused(`${folder} is there already: name a folder that does not exist.`)
  const repository = await openRepository(name)
  try {
    const { record, compared, faults } = await drill({
      ...source,
      repository,
      embedderOf,
      operatorKey: source.dataKey && (await givenKey()),
      folder,
      onStep: step => console.error(step),
    })
    for (const fault of faults) console.error(fault)
    const { live, faces, vectors, pictures } = compared
    console.log(
      `${record.made}: the backup was restored and verified. ${faces} of the ${live} faces in ${source.data} are in it, and their ` +
        `${vectors} vectors and ${pictures} sampled pictures were compared: ${faults.length === 0 ? 'no fault.' : `${faults.length} faults.`}`,
    )
    if (faults.length > 0) return 1
    if (faces === 0)
      throw new BackupRefused(
        'Nothing was compared, and the drill is no success: the backup holds none of the faces. Repeat it after a backup with faces.',
      )
    await writeOperation(source.data, { action: DRILL_COMPLETED }, await metadataOf(source.data))
    return 0
  } finally {
    repository.close()
    source.pictures.close()
  }
}
