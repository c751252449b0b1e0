import { readBucketKeys } from '#core/configuration/credentials.ts'

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
