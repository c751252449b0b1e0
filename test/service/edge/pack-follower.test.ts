/** An edge in workerd whose core is restarted with a pack of the same embedder: it loads the pack's networks by itself. */
import { execFileSync } from 'node:child_process'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import sharp from 'sharp'
import { expect, it } from 'vitest'
import { clientOf, form, type Send, sample } from '../../../bench/harness/client.ts'
import { newToken } from '../../../bench/harness/tokens.ts'
import { BUILT_FILES } from '../../../models/files.ts'
import { type BlazefaceModel, STANDARD } from '../../../models/manifest.ts'
import { startCore } from '../../unit/core/core-process.ts'
import { temporaryFolder } from '../../unit/core/folder.ts'
import { startEdgeProcess } from './edge-process.ts'

const MIEN = join(import.meta.dirname, '..', '..', '..', 'commands', 'mien.js')

/** The standard detector without its second network, which finds small faces. */
async function addPack(data: string): Promise<void> {
  const { closer: _, ...detector } = STANDARD.detector as BlazefaceModel
  const file = 'overview.onnx'
  const files = { [file]: { path: BUILT_FILES[detector.file]!.path, licence: 'MIT' } }
  const manifest = { files, packs: { overview: { detector: { ...detector, file } } } }
  await writeFile(join(data, 'overview.json'), JSON.stringify(manifest))
  execFileSync(process.execPath, [MIEN, 'models', 'add', join(data, 'overview.json'), '--data', data])
}

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

it('an edge loads the networks that a restarted core announces, and fails no request', async () => {
  const data = await temporaryFolder()
  const first = startCore(data)
  const port = String(await first.port)
  await addPack(data)
  const token = newToken(data, 'ann')
  const core = `http://127.0.0.1:${port}`
  const api = clientOf((await startEdgeProcess(data, [core])).origin, token)
  const before = await detect(api)
  first.child.kill('SIGTERM')
  await first.exit

  const second = startCore(data, { MIEN_PACK: 'overview', MIEN_CORE_PORT: port })
  await second.port
  const other = clientOf((await startEdgeProcess(data, [core], {}, '', 'overview')).origin, token)
  const expected = await detect(other)
  expect(expected).not.toEqual(before)
  const found = () => detect(api)
  await expect.poll(found, { timeout: 60_000, interval: 10 }).toEqual(expected)
})
