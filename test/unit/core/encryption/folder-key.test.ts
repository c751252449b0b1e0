/** Which folders open with which key, and what is said of the others. */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { mkdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeEach, describe, expect, it } from 'vitest'
import { findDataKey, openDataKey } from '../../../../core/encryption/folder-key.ts'
import { KEY_FILE } from '../../../../core/encryption/key-file.ts'
import { parseOperatorKey } from '../../../../core/encryption/operator-key.ts'
import { closeDatabase, openDatabase } from '../../../../core/metadata/database.ts'
import { KEY_TEXT, NEW_KEY, OPERATOR } from '../backup/keys.ts'
import { temporaryFolder } from '../folder.ts'

let data = ''
beforeEach(async () => {
  data = join(await temporaryFolder(), 'data')
})

const keyFile = () => join(data, KEY_FILE)

/** Makes the folder one with faces in it, encrypted or not. */
async function used(operator?: typeof OPERATOR): Promise<void> {
  await closeDatabase(await openDatabase(data, { dataKey: await openDataKey(data, operator) }))
}

describe('a folder that holds nothing', () => {
  it('becomes an encrypted one when a key is given, also when several processes do so at once', async () => {
    const keys = await Promise.all(Array.from({ length: 5 }, () => openDataKey(data, OPERATOR)))
    expect(keys[0]).toHaveLength(32)
    for (const key of keys) expect(key).toEqual(keys[0])
    expect(readdirSync(data)).toEqual([KEY_FILE])
  })

  it('becomes one although an operator has put files of theirs into it', async () => {
    await mkdir(data)
    writeFileSync(join(data, 'facenapi.ini'), '')
    expect(await openDataKey(data, OPERATOR)).toHaveLength(32)
  })

  it('is not made by who only looks', async () => {
    expect(await findDataKey(data, OPERATOR)).toBeUndefined()
    await expect(async () => readdirSync(data)).rejects.toMatchObject({ code: 'ENOENT' })
  })

  it('has a data key of its own, whoever has the operator key', async () => {
    expect(await openDataKey(data, OPERATOR)).not.toEqual(await openDataKey(`${data}-2`, OPERATOR))
  })
})

describe('a folder', () => {
  it('opens as it was made', async () => {
    await used(OPERATOR)
    expect(await openDataKey(data, OPERATOR)).toEqual(await findDataKey(data, OPERATOR))
    await rm(data, { recursive: true })
    await used()
    expect(await openDataKey(data, undefined)).toBeUndefined()
  })

  it.each([
    { what: 'is encrypted, and no key is given', made: OPERATOR, given: undefined, says: OPERATOR.id },
    { what: 'is encrypted with another key', made: OPERATOR, given: NEW_KEY, says: NEW_KEY.id },
    {
      what: 'is in the clear, and a key is given',
      made: undefined,
      given: OPERATOR,
      says: 'encryption -- on',
    },
  ])('is refused when it $what', async ({ made, given, says }) => {
    await used(made)
    for (const open of [openDataKey, findDataKey])
      await expect(open(data, given)).rejects.toMatchObject({
        name: 'EncryptionRefused',
        message: expect.stringContaining(says),
      })
  })

  it.each([
    { what: 'was cut', change: (text: string) => text.slice(0, 100) },
    { what: 'has another data key', change: (text: string) => changed(text, 'sealed') },
    { what: 'has another salt', change: (text: string) => changed(text, 'salt') },
    { what: 'says that it is not whole', change: (text: string) => text.replace('false', 'true') },
    { what: 'calls its key by another role', change: (text: string) => text.replace('"to"', '"from"') },
  ])('is refused when its key file $what', async ({ change }) => {
    await used(OPERATOR)
    writeFileSync(keyFile(), change(readFileSync(keyFile(), 'utf8')))
    await expect(openDataKey(data, OPERATOR)).rejects.toMatchObject({
      message: expect.stringContaining('is damaged. Restore it from a backup.'),
    })
  })

  it('is refused when its key file is gone, with a key and without one', async () => {
    await used(OPERATOR)
    await rm(keyFile())
    for (const given of [OPERATOR, undefined])
      await expect(openDataKey(data, given)).rejects.toMatchObject({
        message: expect.stringContaining('there is no encryption.json'),
      })
  })

  it('keeps neither the key of its operator nor the data key', async () => {
    await used(OPERATOR)
    const key = (await openDataKey(data, OPERATOR))!
    const text = readFileSync(keyFile(), 'utf8')
    for (const secret of [KEY_TEXT, Buffer.from(key).toString('hex')]) expect(text).not.toContain(secret)
  })
})

/** One digit is another. */
const changed = (text: string, field: string): string =>
  text.replace(new RegExp(`("${field}": ")(.)`), (_, before, digit) => before + (digit === '0' ? '1' : '0'))

describe('the text of a key', () => {
  const bytes = Buffer.from(KEY_TEXT, 'hex')

  it.each([KEY_TEXT, KEY_TEXT.toUpperCase(), bytes.toString('base64'), bytes.toString('base64url')])(
    'may be %s',
    text => {
      expect(parseOperatorKey(text)).toMatchObject({ bytes, id: OPERATOR.id })
    },
  )

  it.each(['', 'secret', KEY_TEXT.slice(1), `${KEY_TEXT}0`, `${KEY_TEXT.slice(1)}g`, 'a'.repeat(42)])(
    'is not "%s"',
    text => {
      expect(parseOperatorKey(text)).toBeUndefined()
    },
  )
})
