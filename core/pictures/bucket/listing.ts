/** Lists of a bucket's objects, a page at a time: ListObjectsV2 and its XML. */
import { PicturesUnavailable } from '../objects.ts'
import type { AskBucket } from './ask.ts'
import { BucketError } from './trouble.ts'

/** One page: keys that begin with the prefix and come after another key, at most `limit`, and whether there are more. */
export async function pageOf(
  ask: AskBucket,
  { prefix, after = '', limit }: { prefix: string; after?: string; limit: number },
): Promise<{ keys: string[]; more: boolean }> {
  const query = {
    'list-type': '2',
    'max-keys': String(limit),
    ...(prefix !== '' && { prefix }),
    ...(after !== '' && { 'start-after': after }),
  }
  const xml = new TextDecoder().decode(await ask({ method: 'GET', query }))
  if (!/<ListBucketResult[\s>]/.test(xml)) throw untrue('no list')
  const keys = [...xml.matchAll(/<Key>([^<]*)<\/Key>/g)].map(([, key]) => unescaped(key!))
  return { keys, more: /<IsTruncated>true<\/IsTruncated>/.test(xml) }
}

/** All keys that begin with the prefix. What is written or removed meanwhile may be among them or not. */
export async function* keysBelow(ask: AskBucket, prefix: string, page: number): AsyncGenerator<string> {
  for (let after = ''; ; ) {
    const { keys, more } = await pageOf(ask, { prefix, after, limit: page })
    yield* keys
    if (!more) return
    const last = keys.at(-1) ?? ''
    // By the bytes of UTF-8, as S3 sorts. Without this, a server that does not know where to go on would be asked for ever.
    if (Buffer.compare(Buffer.from(last), Buffer.from(after)) <= 0) throw untrue('no end')
    after = last
  }
}

const untrue = (code: string) => new PicturesUnavailable({ cause: new BucketError(code, false) })

const NAMED: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" }

const unescaped = (text: string): string =>
  text.replace(/&(?:#(x?)([0-9a-f]+)|(\w+));/gi, (whole, hex, digits, name) =>
    name === undefined
      ? String.fromCodePoint(Number.parseInt(digits, hex ? 16 : 10))
      : (NAMED[name] ?? whole),
  )
