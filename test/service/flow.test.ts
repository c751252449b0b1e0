/** The main flow from end to end: enrol, restart, find, delete. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import sharp from 'sharp'
import { afterAll, expect, it } from 'vitest'
import { clientOf, form, sample } from '#bench/harness/client.ts'
import { startService } from '#bench/harness/service.ts'

const data = await mkdtemp(join(tmpdir(), 'mien-flow-'))
afterAll(() => rm(data, { recursive: true, force: true }))

/** The same people again: mirrored, smaller, darker, and in another format. */
const another = async (photo: Uint8Array): Promise<Uint8Array<ArrayBuffer>> =>
  new Uint8Array(
    await sharp(photo).flop().resize(1000).modulate({ brightness: 0.8 }).webp({ quality: 80 }).toBuffer(),
  )

it('a service detects, enrols, restarts, identifies, verifies and deletes a face, and refuses attributes, which are off', async () => {
  const photo = await sample(6)
  const later = await another(photo)

  let service = await startService({ data })
  let api = clientOf(service.edge, service.token)
  const { faces } = (await api('POST', '/v0/detect', form({ photo }))).body
  expect(faces).toHaveLength(4)
  const attributes = await api('POST', '/v1/detect', form({ photo, age: 'true' }))
  expect(attributes).toMatchObject({
    status: 400,
    body: { code: 'BAD_PARAM', param: 'age', reason: expect.stringContaining('gae') },
  })
  const enrolled = []
  for (const [i, box] of faces.entries()) {
    const { status, body } = await api(
      'POST',
      '/v0/face',
      form({ photo, bbox: JSON.stringify(box), meta: `person ${i}` }),
    )
    expect(status).toBe(200)
    enrolled.push(body.results[0])
  }
  expect(await service.stop('SIGTERM')).toBe(0)

  service = await startService({ data })
  try {
    api = clientOf(service.edge, service.token)
    const matches = await identified(api, later)
    // The photo is mirrored, which reverses the reading order.
    expect(new Set(matches)).toEqual(new Set(['person 0', 'person 1', 'person 2', 'person 3']))

    const same = await api(
      'POST',
      '/v0/verify',
      form({ photo1: photo, photo2: later, mf_selector: 'all', threshold: 'medium' }),
    )
    expect(same.body.verified).toBe(true)

    expect((await api('DELETE', `/v0/face/id/${enrolled[0].id}`)).status).toBe(204)
    expect((await api('GET', `/v0/face/id/${enrolled[0].id}`)).status).toBe(404)
    expect(await identified(api, later)).not.toContain('person 0')
    const left = (await api('GET', '/v0/faces')).body.results.map((face: { id: number }) => face.id)
    expect(left).toEqual(
      enrolled
        .slice(1)
        .map(face => face.id)
        .reverse(),
    )
  } finally {
    await service.stop()
  }
}, 120_000)

/** Metas of the faces that match the photo at the threshold medium. */
async function identified(
  api: ReturnType<typeof clientOf>,
  photo: Uint8Array<ArrayBuffer>,
): Promise<string[]> {
  const sent = form({ photo, mf_selector: 'all', threshold: 'medium' })
  const { results } = (await api('POST', '/v0/identify', sent)).body
  return (Object.values(results) as { face: { meta: string } }[][]).flat().map(match => match.face.meta)
}
