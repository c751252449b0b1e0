/** Folders that open with a key, and refusals of other keys. */

import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { findDataKey, openDataKey } from '#core/encryption/folder-key.ts'
import { KEY_FILE, parseOperatorKey } from '#core/encryption/key-file.ts'
import { closeDatabase, openDatabase } from '#core/metadata/database.ts'
import { times } from '#test/support/times.ts'
import { KEY_TEXT, NEW_KEY, OPERATOR } from '../backup/keys.ts'
import { temporaryPath } from '../folder.ts'

let data = ''
beforeEach(async () => {
  data = await temporaryPath('data')
})

const keyFile = () => join(data, KEY_FILE)

/** Creates a metadata database in the folder, encrypted or not. */
async function useFolder(operator?: typeof OPERATOR) {
  await closeDatabase(await openDatabase(data, { dataKey: await openDataKey(data, operator) }))
}

it('openDataKey on an empty folder creates one data key when five calls run at once', async () => {
  const keys = await Promise.all(times(5, () => openDataKey(data, OPERATOR)))
  expect(keys[0]).toHaveLength(32)
  for (const key of keys) expect(key).toEqual(keys[0])
  expect(readdirSync(data)).toEqual([KEY_FILE])
})

describe('openDataKey on a used folder', () => {
  it.each([
    { what: 'an encrypted folder without a key', made: OPERATOR, given: undefined, says: OPERATOR.id },
    { what: 'an encrypted folder with another key', made: OPERATOR, given: NEW_KEY, says: NEW_KEY.id },
    {
      what: 'a plain folder with a key',
      made: undefined,
      given: OPERATOR,
      says: 'restore the backup with MIEN_ENCRYPTION_NEW_KEY',
    },
  ])('refuses $what', async ({ made, given, says }) => {
    await useFolder(made)
    for (const open of [openDataKey, findDataKey])
      await expect(open(data, given)).rejects.toMatchObject({
        name: 'EncryptionRefused',
        message: expect.stringContaining(says),
      })
  })

  it.each([
    { what: 'is truncated', change: (text: string) => text.slice(0, 100) },
    { what: 'has another data key', change: (text: string) => changed(text, 'sealed') },
    { what: 'has another salt', change: (text: string) => changed(text, 'salt') },
    { what: 'gives its key another role', change: (text: string) => text.replace('"to"', '"from"') },
  ])('refuses a folder whose key file $what', async ({ change }) => {
    await useFolder(OPERATOR)
    writeFileSync(keyFile(), change(readFileSync(keyFile(), 'utf8')))
    await expect(openDataKey(data, OPERATOR)).rejects.toThrow('is damaged. Restore it from a backup.')
  })

  it('refuses a folder that version 0.2 began to convert', async () => {
    await useFolder(OPERATOR)
    writeFileSync(keyFile(), readFileSync(keyFile(), 'utf8').replace('false', 'true'))
    await expect(openDataKey(data, OPERATOR)).rejects.toThrow(
      'is encrypted in part: version 0.2 was interrupted',
    )
  })

  it('refuses an encrypted folder without its key file, with and without a key', async () => {
    await useFolder(OPERATOR)
    await rm(keyFile())
    for (const given of [OPERATOR, undefined])
      await expect(openDataKey(data, given)).rejects.toThrow('there is no encryption.json')
  })

  it('writes neither the operator key nor the data key to the key file', async () => {
    await useFolder(OPERATOR)
    const key = (await openDataKey(data, OPERATOR))!
    const text = readFileSync(keyFile(), 'utf8')
    for (const secret of [KEY_TEXT, Buffer.from(key).toString('hex')]) expect(text).not.toContain(secret)
  })
})

/** Changes the first digit of a field. */
const changed = (text: string, field: string) =>
  text.replace(new RegExp(`("${field}": ")(.)`), (_, before, digit) => before + (digit === '0' ? '1' : '0'))

describe('parseOperatorKey', () => {
  const bytes = Buffer.from(KEY_TEXT, 'hex')

  it.each([KEY_TEXT, KEY_TEXT.toUpperCase(), bytes.toString('base64'), bytes.toString('base64url')])(
    'accepts %s',
    text => {
      expect(parseOperatorKey(text)).toMatchObject({ bytes, id: OPERATOR.id })
    },
  )

  it.each(['', 'secret', KEY_TEXT.slice(1), `${KEY_TEXT}0`, `${KEY_TEXT.slice(1)}g`, 'a'.repeat(42)])(
    'refuses "%s"',
    text => {
      expect(parseOperatorKey(text)).toBeUndefined()
    },
  )
})
