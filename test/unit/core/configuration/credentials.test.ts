/** The operator key in the environment: accepted forms, and refusals that do not repeat the key. */
import { chmodSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { readOperatorKey } from '#core/configuration/credentials.ts'
import { KEY_TEXT, OPERATOR } from '../backup/keys.ts'
import { temporaryFolder } from '../folder.ts'

const WRONG = 'not a key but a secret'

async function fileOf(text: string, mode = 0o600): Promise<string> {
  const path = join(await temporaryFolder(), 'key')
  writeFileSync(path, text)
  chmodSync(path, mode)
  return path
}

const refusal = (environment: Record<string, string>) =>
  readOperatorKey(environment).then(
    () => '',
    (error: Error) => `${error.name}: ${error.message}`,
  )

describe('readOperatorKey', () => {
  it('reads the key from the variable or the file, and returns undefined without one', async () => {
    expect(await readOperatorKey({})).toBeUndefined()
    expect(await readOperatorKey({ MIEN_ENCRYPTION_KEY: '', MIEN_ENCRYPTION_KEY_FILE: '' })).toBeUndefined()
    expect(await readOperatorKey({ MIEN_ENCRYPTION_KEY: ` ${KEY_TEXT}\n` })).toEqual(OPERATOR)
    expect(await readOperatorKey({ MIEN_ENCRYPTION_KEY_FILE: await fileOf(`${KEY_TEXT}\n`) })).toEqual(
      OPERATOR,
    )
  })

  it('refuses an invalid key without repeating it', async () => {
    for (const said of [
      await refusal({ MIEN_ENCRYPTION_KEY: WRONG }),
      await refusal({ MIEN_ENCRYPTION_KEY_FILE: await fileOf(WRONG) }),
    ]) {
      expect(said).toMatch(/^ConfigurationError: MIEN_ENCRYPTION_KEY(_FILE)? must give 32 random bytes/)
      expect(said).not.toContain(WRONG)
    }
    expect(await refusal({ MIEN_ENCRYPTION_KEY_FILE: await fileOf('\n') })).toContain('which is empty')
  })

  it('refuses two keys, and a missing key file', async () => {
    const both = { MIEN_ENCRYPTION_KEY: KEY_TEXT, MIEN_ENCRYPTION_KEY_FILE: await fileOf(KEY_TEXT) }
    expect(await refusal(both)).toContain('both set')
    expect(await refusal({ MIEN_ENCRYPTION_KEY_FILE: '/no/such/file' })).toContain("can't be read")
  })

  it.skipIf(process.platform === 'win32').each([0o644, 0o602])(
    'refuses a key file that everybody can read or write: mode %o',
    async mode => {
      const said = await refusal({ MIEN_ENCRYPTION_KEY_FILE: await fileOf(KEY_TEXT, mode) })
      expect(said).toContain('everybody can read')
      expect(said).not.toContain(KEY_TEXT)
    },
  )
})
