/** A service that stores neither pictures nor photo names (MIEN_STORE_PICTURES=false, MIEN_STORE_PHOTO_NAMES=false). */
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { clientOf, form, sample } from '#bench/harness/client.ts'
import { startService } from '#bench/harness/service.ts'

it('a service without pictures and photo names enrols, finds and lists faces, and answers 404 to picture links', {
  tags: 'long',
}, async () => {
  const env = { MIEN_STORE_PICTURES: 'false', MIEN_STORE_PHOTO_NAMES: 'false' }
  const service = await startService({ env })
  onTestFinished(async () => {
    await service.stop()
    await service.remove()
  })
  const send = clientOf(service.edge, service.token)
  const photo = { bytes: await sample(1), name: 'ann-at-home.jpg' }
  const { status, body } = await send('POST', '/v0/face', form({ photo }))
  expect(status).toBe(200)
  const [face] = body.results
  expect(face).toMatchObject({ photo: '', photo_hash: expect.stringMatching(/^[0-9a-f]{40,}$/) })
  for (const link of [face.thumbnail, face.normalized]) {
    expect(new URL(link).origin).toBe(new URL(service.edge).origin)
    expect((await fetch(link)).status).toBe(404)
  }
  const found = await send('POST', '/v0/identify', form({ photo }))
  expect(Object.values(found.body.results)).toEqual([[expect.objectContaining({ confidence: 1 })]])
  const listed = await send('GET', '/v0/faces')
  expect(JSON.stringify(listed.body)).not.toContain('ann-at-home')
  const files = await readdir(join(service.data, 'pictures'), { recursive: true, withFileTypes: true })
  expect(files.filter(file => file.isFile()).map(({ name }) => name)).toEqual(['.installation'])
})
