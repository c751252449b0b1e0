/** Lists a bucket's objects page by page: ListObjectsV2 and its XML. */
import { PicturesUnavailable } from '../objects.ts'
import { BucketError } from './bucket-error.ts'
import type { SendToBucket } from './client.ts'

/** One page of keys that begin with the prefix and follow `after`, at most `limit`, and whether there are more. */
export async function pageOf(
  ask: SendToBucket,
  { prefix, after = '', limit }: { prefix: string; after?: string; limit: number },
): Promise<{ keys: string[]; more: boolean }> {
  const query = {
    'list-type': '2',
    'max-keys': String(limit),
    ...(prefix !== '' && { prefix }),
    ...(after !== '' && { 'start-after': after }),
  }
  const xml = new TextDecoder().decode(await ask({ method: 'GET', query }))
  if (!/<ListBucketResult[\s>]/.test(xml)) throw invalidList('no list')
  const keys = [...xml.matchAll(/<Key>([^<]*)<\/Key>/g)].map(([, key]) => unescaped(key!))
  return { keys, more: /<IsTruncated>true<\/IsTruncated>/.test(xml) }
}

/** All keys that begin with the prefix. Keys that are written or removed meanwhile may be included or not. */
export async function* keysBelow(ask: SendToBucket, prefix: string, page: number): AsyncGenerator<string> {
  for (let after = ''; ; ) {
    const { keys, more } = await pageOf(ask, { prefix, after, limit: page })
    yield* keys
    if (!more) return
    const last = keys.at(-1) ?? ''
    // S3 sorts keys by their UTF-8 bytes. Without this check, a server that ignores `start-after` would cause an
    // endless loop.
    if (Buffer.compare(Buffer.from(last), Buffer.from(after)) <= 0) throw invalidList('no end')
    after = last
  }
}

const invalidList = (code: string) => new PicturesUnavailable({ cause: new BucketError(code, false) })

const NAMED: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" }

const unescaped = (text: string): string =>
  text.replace(/&(?:#(x?)([0-9a-f]+)|(\w+));/gi, (whole, hex, digits, name) =>
    name === undefined
      ? String.fromCodePoint(Number.parseInt(digits, hex ? 16 : 10))
      : (NAMED[name] ?? whole),
  )
