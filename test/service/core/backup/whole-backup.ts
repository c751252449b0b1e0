/** Makes a whole backup of a data folder, as version 0.2 did. */
import { existsSync } from 'node:fs'
import { cp, mkdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { SMALL_FILES } from '#core/backup/backed-up-files.ts'
import { forgetIndexes } from '#core/backup/complete-copy.ts'
import { CONTENTS, type Contents, describeFiles } from '#core/backup/contents.ts'
import { snapshot } from '#core/files/sqlite.ts'
import { METADATA_FILE } from '#core/metadata/database.ts'
import { servedShards } from '#core/vector-store/generation.ts'
import { ROWS } from '#core/vector-store/shard/shard-open.ts'
import { EMBEDDER } from './repository/backups.ts'

/** `data` may be open, but must not change during the backup. Returns the contents. */
export async function makeWholeBackup(data: string, target: string): Promise<Contents> {
  const shards = await servedShards(join(data, 'vectors'))
  for (const path of [METADATA_FILE, ...shards.map(shard => join('vectors', shard, ROWS))]) {
    await mkdir(dirname(join(target, path)), { recursive: true })
    snapshot(join(data, path), join(target, path))
  }
  for (const path of [...SMALL_FILES, 'pictures'])
    if (existsSync(join(data, path))) await cp(join(data, path), join(target, path), { recursive: true })
  await forgetIndexes(target)
  const contents: Contents = {
    format: 'mien-backup',
    version: 1,
    made: new Date(0).toISOString(),
    embedder: EMBEDDER,
    faces: 0,
    files: await describeFiles(target),
  }
  await writeFile(join(target, CONTENTS), JSON.stringify(contents))
  return contents
}
