/** An edge in workerd whose core is restarted with a pack of the same embedder: it loads the pack's networks by itself. */
import sharp from 'sharp'
import { expect, it } from 'vitest'
import { clientOf, form, type Send, sample } from '#bench/harness/client.ts'
import { addOverviewPack, OVERVIEW } from '#bench/harness/overview-pack.ts'
import { newToken } from '#bench/harness/tokens.ts'
import { startCore } from '#test/unit/core/core-process.ts'
import { temporaryFolder } from '#test/unit/core/folder.ts'
import { startEdgeProcess } from './edge-process.ts'

/** A large photo with small faces. */
async function smallFaces(): Promise<Uint8Array<ArrayBuffer>> {
  const background = { create: { width: 2400, height: 1800, channels: 3 as const, background: 'gray' } }
  const photo = await sharp(await sample(4))
    .resize(700)
    .toBuffer()
  const composed = sharp(background).composite([{ input: photo, left: 200, top: 300 }])
  return new Uint8Array(await composed.jpeg().toBuffer())
}

const photo = await smallFaces()

/** Boxes of the faces on the photo. */
async function detect(api: Send): Promise<unknown> {
  const { status, body } = await api('POST', '/v1/detect', form({ photo }))
  expect(status).toBe(200)
  return body.faces ?? []
}

it('an edge loads the networks that a restarted core announces, and fails no request', {
  tags: 'long',
}, async () => {
  const data = await temporaryFolder()
  const first = startCore(data)
  const port = String(await first.port)
  await addOverviewPack(data)
  const token = newToken(data, 'ann')
  const core = `http://127.0.0.1:${port}`
  const api = clientOf((await startEdgeProcess(data, [core])).origin, token)
  const before = await detect(api)
  first.child.kill('SIGTERM')
  await first.exit

  const second = startCore(data, { MIEN_PACK: OVERVIEW, MIEN_CORE_PORT: port })
  await second.port
  const other = clientOf((await startEdgeProcess(data, [core], {}, '', OVERVIEW)).origin, token)
  const expected = await detect(other)
  expect(expected).not.toEqual(before)
  const found = () => detect(api)
  await expect.poll(found, { timeout: 60_000, interval: 10 }).toEqual(expected)
})
