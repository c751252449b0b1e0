/** Credentials in the environment: accepted forms, and refusals that do not repeat them. */
import { chmodSync, writeFileSync } from 'node:fs'
import { readBucketKeys, readOperatorKey } from '#core/configuration/credentials.ts'
import { KEY_TEXT, OPERATOR } from '../backup/keys.ts'
import { temporaryPath } from '../folder.ts'

const WRONG = 'not a key but a secret'

async function fileOf(text: string, mode = 0o600) {
  const path = await temporaryPath('key')
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

const OURS = { MIEN_S3_ACCESS_KEY_ID: 'ours', MIEN_S3_SECRET_ACCESS_KEY: 'our-secret' }
const THEIRS = { AWS_ACCESS_KEY_ID: 'theirs', AWS_SECRET_ACCESS_KEY: 'their-secret' }

it.each([
  { when: 'nothing is set', environment: {}, keys: undefined },
  { when: 'MIEN_S3_ACCESS_KEY_ID is empty', environment: { MIEN_S3_ACCESS_KEY_ID: '' }, keys: undefined },
  { when: 'only one AWS key is set', environment: { AWS_ACCESS_KEY_ID: 'theirs' }, keys: undefined },
  {
    when: 'the AWS keys are set',
    environment: THEIRS,
    keys: { accessKeyId: 'theirs', secretAccessKey: 'their-secret' },
  },
  {
    when: 'both are set',
    environment: { ...THEIRS, ...OURS },
    keys: { accessKeyId: 'ours', secretAccessKey: 'our-secret' },
  },
])('readBucketKeys returns the expected keys when $when', async ({ environment, keys }) => {
  expect(await readBucketKeys(environment)).toEqual(keys)
})

it.each([
  { when: 'the secret is missing', environment: { MIEN_S3_ACCESS_KEY_ID: 'ours' }, says: 'belong together' },
  {
    when: 'the id is missing, despite AWS keys',
    environment: { ...THEIRS, MIEN_S3_SECRET_ACCESS_KEY: 'our-secret' },
    says: 'belong together',
  },
  {
    when: 'the secret contains a space',
    environment: { ...OURS, MIEN_S3_SECRET_ACCESS_KEY: 'our secret' },
    says: 'without spaces',
  },
])('readBucketKeys refuses keys when $when, and does not show them', async ({ environment, says }) => {
  const refusal: Error = await readBucketKeys(environment).then(
    () => new Error('taken'),
    error => error,
  )
  expect(refusal).toMatchObject({ name: 'ConfigurationError', message: expect.stringContaining(says) })
  expect(refusal.message).not.toMatch(/ours|our.secret|theirs/)
})
