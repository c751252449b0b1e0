/** A pack in a data folder whose detector has to be downloaded, from a server on this machine. */
import { createHash } from 'node:crypto'
import { mkdir, writeFile } from 'node:fs/promises'
import type { ServerResponse } from 'node:http'
import { join } from 'node:path'
import { PACK_MANIFEST, packFolder } from '#models/packs.ts'
import { served } from '#test/served.ts'
import { FACE_IN_THE_MIDDLE, tinyPack, yunetFile } from '#test/unit/models/tiny-networks.ts'

export interface ServedPack {
  /**
   * `refuse`: 404. `other`: another file of the same length. `half`: the first half, and the rest after `finish`. `whole`: the
   * file, from where the request asks.
   */
  answer: 'refuse' | 'other' | 'half' | 'whole'
  /** Sends the rest of the answer in progress. */
  finish(): void
  /** Ranges of the requests so far. */
  ranges: (string | undefined)[]
}

/** Its detector finds one face in the middle of every photo. The server ends with the test. */
export async function servedPack(data: string, name: string): Promise<ServedPack> {
  const file = Buffer.from(yunetFile(64, [FACE_IN_THE_MIDDLE]))
  const half = file.length >> 1
  let waiting: ServerResponse | undefined
  const pack: ServedPack = {
    answer: 'whole',
    finish: () => void waiting?.end(file.subarray(half)),
    ranges: [],
  }
  const origin = await served(({ headers: { range } }, response) => {
    pack.ranges.push(range)
    if (pack.answer === 'refuse') return void response.writeHead(404).end()
    if (pack.answer === 'other') return void response.end(Buffer.alloc(file.length))
    if (pack.answer === 'half') {
      waiting = response
      return void response.write(file.subarray(0, half))
    }
    const from = Number(/^bytes=(\d+)-$/.exec(range ?? '')?.[1] ?? 0)
    const content = `bytes ${from}-${file.length - 1}/${file.length}`
    response.writeHead(range ? 206 : 200, range ? { 'content-range': content } : {}).end(file.subarray(from))
  })
  const { detector } = tinyPack(name).packs[name]!
  const entry = {
    url: `${origin}/${detector.file}`,
    licence: 'MIT',
    sha256: createHash('sha256').update(file).digest('hex'),
    bytes: file.length,
  }
  await mkdir(packFolder(data, name), { recursive: true })
  const manifest = { files: { [detector.file]: entry }, packs: { [name]: { detector } } }
  await writeFile(join(packFolder(data, name), PACK_MANIFEST), JSON.stringify(manifest))
  return pack
}
