/** The contents file of a backup. */
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { CONTENTS, readContents } from '#core/backup/contents.ts'
import { temporaryFolder } from '../folder.ts'

it('readContents refuses a backup of a later version with its path', async () => {
  const folder = await temporaryFolder()
  await writeFile(join(folder, CONTENTS), '{"format":"mien-backup","version":2,"parts":[]}')
  await expect(readContents(folder)).rejects.toMatchObject({
    name: 'BackupRefused',
    message: expect.stringContaining(`${join(folder, CONTENTS)} was written by a later version of Mien.`),
  })
})
