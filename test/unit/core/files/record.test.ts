/** Records: atomic writes, and refusal of damaged files. */
import { readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import fc from 'fast-check'
import * as z from 'zod'
import { readRecord, writeRecord } from '#core/files/record.ts'
import { temporaryFolder, temporaryPath } from '../folder.ts'

const Schema = z.strictObject({ version: z.literal(1), name: z.string() })

class Damaged extends Error {}

describe('readRecord', () => {
  it('reads the last record of writeRecord, and finds no other file', async () => {
    const folder = await temporaryFolder()
    const path = join(folder, 'record.json')
    expect(await readRecord(path, Schema, Damaged)).toBeUndefined()
    await fc.assert(
      fc.asyncProperty(fc.string({ unit: 'binary' }), async name => {
        await writeRecord(path, { version: 1, name })
        expect(await readRecord(path, Schema, Damaged)).toEqual({ version: 1, name })
      }),
      { numRuns: 20 },
    )
    expect(await readdir(folder)).toEqual(['record.json'])
  })

  it.each(['', '{"version":1,', '{"version":0,"name":"a"}', '{"version":1,"name":"a","more":1}'])(
    'refuses %o with the path and the advice to restore a backup',
    async text => {
      const path = await temporaryPath('record.json')
      await writeFile(path, text)
      const refused = readRecord(path, Schema, Damaged)
      await expect(refused).rejects.toThrow(Damaged)
      await expect(refused).rejects.toThrow(`${path} is damaged. Restore it from a backup.`)
    },
  )
})
