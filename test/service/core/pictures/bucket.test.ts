/**
 * Pictures in a bucket of a real server: the same behaviour as in a folder, under faults of the network and the server; and its
 * address.
 */

import { setTimeout as sleep } from 'node:timers/promises'
import fc from 'fast-check'
import { traceOf } from '#core/log.ts'
import { type BucketAddress, bucketAddress, bucketUrl } from '#core/pictures/bucket/address.ts'
import { type BucketSettings, openBucket } from '#core/pictures/bucket/bucket.ts'
import { PicturesUnavailable } from '#core/pictures/objects.ts'
import { pathOf, picturesIn } from '#core/pictures/pictures.ts'
import { hasSwift, KEYS, type Swift, startSwift } from '#test/support/servers/swift.ts'
import { times } from '#test/support/times.ts'
import { face, keepsPictures, namesIn, OWNER, pathsIn } from '#test/unit/core/pictures/picture-store.suite.ts'
import { type Fate, type FaultyProxy, faultyProxy } from './faulty-proxy.ts'

describe.skipIf(!hasSwift)('openBucket', { tags: ['long', 'swift'] }, () => {
  let swift: Swift
  beforeAll(async () => {
    swift = await startSwift()
  })
  afterAll(() => swift.stop())

  const newAddress = async (endpoint = swift.origin): Promise<BucketAddress> => ({
    endpoint,
    bucket: await swift.makeBucket(),
    prefix: 'some/faces/',
    region: 'us-east-1',
  })

  const opened = (address: BucketAddress, settings?: BucketSettings, keys = KEYS) => {
    const bucket = openBucket(address, keys, { page: 7, ...settings })
    onTestFinished(() => bucket.close())
    return bucket
  }

  keepsPictures('a bucket', async () => opened(await newAddress()))

  it('stores each picture under the path of its file', async () => {
    const address = await newAddress()
    await picturesIn(opened(address)).write([face(271)])
    const bare = { ...address, prefix: '' }
    expect(await pathsIn(opened(bare))).toEqual([
      `some/faces/${OWNER}/0f/271.normalized.png`,
      `some/faces/${OWNER}/0f/271.thumbnail.jpg`,
    ])
  })

  it('leaves nothing after tryOut', async () => {
    const bucket = opened(await newAddress())
    await bucket.tryOut()
    expect(await pathsIn(bucket)).toEqual([])
  })

  it.each([
    {
      when: 'the secret is wrong',
      keys: { ...KEYS, secretAccessKey: 'guessed' },
      says: '403 SignatureDoesNotMatch',
    },
    {
      when: 'the key is unknown',
      keys: { ...KEYS, accessKeyId: 'test:unknown' },
      says: '403 ',
    },
    { when: 'the bucket does not exist', address: { bucket: 'nowhere' }, says: '404 NoSuchBucket' },
    { when: 'the region is wrong', address: { region: 'auto' }, says: '400 AuthorizationHeaderMalformed' },
  ])('refuses to open when $when, and shows no secret', async ({ keys, address, says }) => {
    const news: unknown[] = []
    const bucket = opened(
      { ...(await newAddress()), ...address },
      { news: (event, cause) => news.push([event, traceOf(cause).error]) },
      keys,
    )
    const refusal = await bucket.tryOut().catch(error => error)
    expect(refusal).toMatchObject({ name: 'PicturesRefused', message: expect.stringContaining(says) })
    expect(news).toEqual([['bucket refused', expect.stringContaining(`BucketError ${says}`)]])
    const said = JSON.stringify([refusal.message, refusal.stack, news])
    for (const secret of Object.values({ ...KEYS, ...keys })) expect(said).not.toContain(secret)
  })

  it('names the clock when the clock of this machine is wrong', async () => {
    const address = await newAddress()
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 3_600_000 })
    onTestFinished(() => void vi.useRealTimers())
    await expect(opened(address).tryOut()).rejects.toMatchObject({
      name: 'PicturesRefused',
      message: expect.stringMatching(/RequestTimeTooSkewed.*Set the clock/),
    })
  })

  describe('with network faults', () => {
    const QUICK = { attemptMs: 500, attempts: 3 }
    let proxy: FaultyProxy
    let news: string[] = []

    const through = async (bounds: BucketSettings['bounds'] = QUICK) => {
      proxy = await faultyProxy(swift.origin)
      news = []
      const address = await newAddress(proxy.origin)
      return opened(address, { bounds, news: event => news.push(event) })
    }
    /** Applies the fate to the next `count` requests, and none afterwards. */
    const first = (count: number, fate: Fate) => {
      let left = count
      proxy.decide(() => (left-- > 0 ? fate : 'well'))
    }

    it.each<[Fate, count: number, attemptMs: number]>([
      [503, 2, 1_500],
      ['lost', 2, 1_500],
      ['half', 2, 1_500],
      ['silent', 1, 500],
      ['slow', 1, 500],
    ])('completes its work when the first answers are "%s"', async (fate, count, attemptMs) => {
      const pictures = picturesIn(await through({ ...QUICK, attemptMs }))
      first(count, fate)
      await pictures.write([face(1)])
      first(count, fate)
      expect(await pictures.read(face(1), 'thumbnail')).toBeDefined()
      first(count, fate)
      expect(await namesIn(pictures)).toHaveLength(2)
      first(count, fate)
      await pictures.remove([face(1)])
      expect(await namesIn(pictures)).toEqual([])
      expect(news).toEqual([])
    })

    it.each<Fate>([500, 'silent'])(
      'reports unavailable and available when all answers are "%s" for a while',
      async fate => {
        const bucket = await through()
        const pictures = picturesIn(bucket)
        await pictures.write([face(1)])
        proxy.decide(() => fate)
        await expect(pictures.read(face(1), 'thumbnail')).rejects.toBeInstanceOf(PicturesUnavailable)
        await expect(pictures.reach()).rejects.toBeInstanceOf(PicturesUnavailable)
        await expect(pictures.write([face(2)])).rejects.toBeInstanceOf(PicturesUnavailable)
        expect(proxy.asked.filter(line => line.includes(pathOf({ ...face(2), kind: 'thumbnail' })))).toEqual(
          [],
        )
        proxy.decide(() => 'well')
        while (news.length < 2) await sleep(20)
        await pictures.reach()
        expect(await namesIn(pictures)).toHaveLength(2)
        expect(news).toEqual(['bucket unavailable', 'bucket available'])
      },
    )

    it('stores no object that changed on the way', async () => {
      const bucket = await through()
      proxy.decide(() => 'changed')
      const path = pathOf({ ...face(1), kind: 'thumbnail' })
      const written = bucket.write([{ path, bytes: Buffer.from('right'), type: 'text/plain' }])
      await expect(written).rejects.toMatchObject({ cause: { code: '400 BadDigest' } })
      // A repetition would be refused, too.
      expect(proxy.asked).toHaveLength(1)
      proxy.decide(() => 'well')
      expect(await bucket.read(path)).toBeUndefined()
    })

    it('limits concurrent requests, and reports requests that wait too long', async () => {
      const bucket = await through({ attemptMs: 1_500, attempts: 1, atOnce: 2, waitMs: 200 })
      proxy.decide(() => 'silent')
      const asked = times(5, id => bucket.has(`${id}`).catch(error => error.cause.code))
      const waited = await Promise.all(asked.slice(2))
      expect(waited).toEqual(['busy', 'busy', 'busy'])
      expect(proxy.asked).toHaveLength(2)
      expect(news).toEqual(['bucket refused'])
      expect(await Promise.all(asked.slice(0, 2))).toEqual(['silent', 'silent'])
    })
  })
})

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
      if (address) expect(URL.parse(bucketUrl(address))?.href).toBe(bucketUrl(address))
    }),
  )
})
