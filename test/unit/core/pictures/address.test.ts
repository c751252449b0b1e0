/** Addresses of buckets. */
import fc from 'fast-check'
import { bucketAddress, keptAt } from '#core/pictures/bucket/address.ts'

it.each([
  {
    text: 's3://faces?region=eu-central-1',
    means: {
      endpoint: 'https://s3.eu-central-1.amazonaws.com',
      bucket: 'faces',
      prefix: '',
      region: 'eu-central-1',
    },
  },
  {
    text: 's3://faces/site/one/?endpoint=https://0123.r2.cloudflarestorage.com&region=auto',
    means: {
      endpoint: 'https://0123.r2.cloudflarestorage.com',
      bucket: 'faces',
      prefix: 'site/one/',
      region: 'auto',
    },
  },
  {
    text: 's3://faces?endpoint=https%3A%2F%2Fstorage.example.com%2Fv1%2Fs3',
    means: {
      endpoint: 'https://storage.example.com/v1/s3',
      bucket: 'faces',
      prefix: '',
      region: 'us-east-1',
    },
  },
])('bucketAddress reads $text', ({ text, means }) => {
  expect(bucketAddress(text)).toEqual(means)
})

it.each([
  'faces',
  's3://',
  's3://Faces',
  's3://key:secret@faces',
  's3://faces#site',
  's3://faces/a//b',
  's3://faces/a/../b',
  's3://faces/%2e%2e',
  's3://faces?region=auto&region2=x',
  's3://faces?region=a/b',
  's3://faces?endpoint=ftp://example.com',
  's3://faces?endpoint=https://key:secret@example.com',
  's3://faces?endpoint=https://example.com/%23',
])('bucketAddress refuses "%s"', text => {
  expect(bucketAddress(text)).toBeUndefined()
})

it('bucketAddress refuses any text or returns an address with a valid URL', () => {
  const texts = fc.oneof(
    fc.string(),
    fc.webUrl().map(url => `s3://faces?endpoint=${url}`),
    fc.webPath().map(path => `s3://faces${path}`),
  )
  fc.assert(
    fc.property(texts, text => {
      const address = bucketAddress(text)
      if (address) expect(URL.parse(keptAt(address))?.href).toBe(keptAt(address))
    }),
  )
})
