import { join } from 'node:path'
import sharp from 'sharp'
import { beforeAll, describe, expect, inject, it } from 'vitest'
import { SAMPLES, sample } from '#bench/harness/client.ts'
import { newToken } from '#bench/harness/tokens.ts'
import { boxOf, type Face, MienClient, MienError } from '#clients/typescript/src/index.ts'

const PHOTO = join(SAMPLES, 'sample1.jpg')
/** The biggest face of sample3 is the one at this place of sample1. */
const SAME = { x1: 1494, y1: 250, x2: 1660, y2: 411 }
const medium = { threshold: 'medium' } as const

const freshClient = (owner: string): MienClient =>
  new MienClient({ url: inject('edge'), token: newToken(inject('data'), owner) })

/** The code of the refusal of a call. */
const codeOf = (call: Promise<unknown>): Promise<unknown> =>
  call.then(
    () => 'no refusal',
    (error: unknown) => (error instanceof MienError ? error.code : error),
  )

describe('the TypeScript client', () => {
  const mien = freshClient('TypeScript client')
  let ann: Face
  beforeAll(async () => {
    await mien.galleries.create('staff')
    const photo = new Blob([await sample(3)])
    ann = (await mien.faces.enrol(photo, { meta: 'Ann/1', galleries: ['staff'], quality: true }))[0]!
  })

  it('detects the faces of a path, bytes, a Blob and a URL', async () => {
    const bytes = await sample(1)
    const url = `data:image/jpeg;base64,${Buffer.from(bytes).toString('base64')}`
    for (const photo of [PHOTO, bytes, new Blob([bytes]), url]) {
      const { faces, orientation } = await mien.detect(photo, { quality: true })
      expect([faces.length, orientation, typeof faces[0]!.quality!.sharpness]).toEqual([3, 1, 'number'])
    }
  })

  it('lets the service fetch the photo of a URL', async () => {
    const url = new URL(`http://${inject('photoHost')}/sample3.jpg`)
    expect((await mien.detect(url)).faces.length).toBeGreaterThan(0)
  })

  it('verifies a face in a box', async () => {
    const { verified, results } = await mien.verify(PHOTO, await sample(3), { bbox1: [SAME], ...medium })
    expect([verified, results.length]).toEqual([true, 1])
  })

  it('enrols with galleries and quality, and once under one key', async () => {
    expect(ann).toMatchObject({ meta: 'Ann/1', galleries: ['default', 'staff'], photo: 'photo' })
    expect(ann.quality!.quality).toBeGreaterThan(0.5)
    const enrol = () => mien.faces.enrol(PHOTO, { meta: 'Bob' }, { idempotencyKey: 'TypeScript client' })
    expect((await enrol())[0]!.id).toBe((await enrol())[0]!.id)
  })

  it('identifies in all galleries and in one', async () => {
    const search = { ...medium, mf_selector: 'all' } as const
    for (const gallery of ['default', 'staff']) {
      const { results } = await mien.identify(PHOTO, { ...search, n: 5, gallery })
      const found = Object.entries(results).filter(([, matches]) =>
        matches.some(({ face }) => face.id === ann.id),
      )
      expect(found.map(([key]) => boxOf(key))).toEqual([SAME])
    }
    expect(await codeOf(mien.identify(PHOTO, { gallery: 'nobody' }))).toBe('BAD_PARAM')
  })

  it('lists, reads and changes faces', async () => {
    const metas = async (filter: object) => (await mien.faces.list(filter).toArray()).map(({ meta }) => meta)
    expect(await metas({ pageSize: 1 })).toEqual(['Bob', 'Ann/1'])
    expect(await metas({ gallery: 'staff' })).toEqual(['Ann/1'])
    expect(await metas({ meta: 'Ann/1' })).toEqual(['Ann/1'])
    expect(await metas({ meta: 'Ann/1', gallery: 'staff' })).toEqual(['Ann/1'])
    expect(await metas({ meta: 'ann/1' })).toEqual([])
    await mien.faces.update(ann.id, { meta: 'Ann', galleries: { del: ['staff'] } })
    expect(await mien.faces.get(ann.id)).toMatchObject({ meta: 'Ann', galleries: ['default'] })
    await mien.faces.update(ann.id, { galleries: { add: ['staff'] } })
  })

  it('lists metas', async () => {
    const counts = async (filter: object) =>
      (await mien.metas.list(filter).toArray()).map(({ meta, count, face }) => [meta, count, face.meta])
    expect(await counts({ pageSize: 1 })).toEqual(expect.arrayContaining([['Ann', 1, 'Ann']]))
    expect(await counts({ gallery: 'staff' })).toEqual([['Ann', 1, 'Ann']])
  })

  it('deletes faces by id and by meta', { tags: 'long' }, async () => {
    const other = freshClient('TypeScript client, deletions')
    await other.galleries.create('staff')
    const enrol = async (meta: string, galleries: string[]) =>
      (await other.faces.enrol(PHOTO, { meta, galleries }))[0]!.id
    const id = await enrol('x', [])
    await enrol('x', ['staff'])
    await enrol('y', [])
    await other.faces.delete(id)
    expect(await codeOf(other.faces.get(id))).toBe('NOT_FOUND')
    await other.faces.deleteWithMeta('x', { gallery: 'staff' })
    await other.faces.deleteWithMeta('y')
    expect(await other.faces.list().toArray()).toEqual([])
  })

  it('creates, changes, lists and deletes galleries', async () => {
    expect(await mien.galleries.create('guests', { retention_days: 30 })).toEqual({
      name: 'guests',
      retention_days: 30,
    })
    expect(await codeOf(mien.galleries.create('guests'))).toBe('GALLERY_EXISTS')
    await mien.galleries.update('guests', { retention_days: 7 })
    expect(await mien.galleries.get('guests')).toHaveProperty('retention_days', 7)
    expect(await mien.galleries.list().toArray()).toEqual(['default', 'guests', 'staff'])
    expect(await mien.galleries.delete('guests')).toBeUndefined()
    expect(await codeOf(mien.galleries.get('guests'))).toBe('NOT_FOUND')
  })

  it('creates, changes, lists and deletes cameras', async () => {
    const { id } = await mien.cameras.create({ meta: 'door', roi: [640, 480, 0, 0] })
    expect(await mien.cameras.get(id)).toMatchObject({ meta: 'door', roi: [640, 480, 0, 0] })
    const changed = await mien.cameras.update(id, { enabled: false })
    expect([changed.enabled, changed.roi]).toEqual([false, undefined])
    expect((await mien.cameras.list().toArray()).map(camera => camera.id)).toEqual([id])
    expect(await mien.cameras.lease(id, { watcher: 'hall', fps: 5 })).toEqual({ picture_wanted: false })
    expect(await codeOf(mien.cameras.picture(id))).toBe('NOT_FOUND')
    expect(await codeOf(mien.cameras.lease(id, { watcher: 'door' }))).toBe('CAMERA_TAKEN')
    const picture = new Uint8Array(
      await sharp(await sample(1))
        .resize(320)
        .jpeg()
        .toBuffer(),
    )
    expect(await mien.cameras.lease(id, { watcher: 'hall', picture })).toEqual({ picture_wanted: true })
    const shown = await mien.cameras.picture(id)
    expect(shown.type).toBe('image/jpeg')
    expect(new Uint8Array(await shown.arrayBuffer())).toEqual(picture)
    await mien.cameras.release(id, 'hall')
    expect((await mien.cameras.state(id)).live).toBe(false)
    await mien.cameras.delete(id)
    expect(await mien.cameras.list().toArray()).toEqual([])
  })

  it('creates, replaces, tests, lists and deletes alert rules', async () => {
    const url = 'http://127.0.0.1:9/'
    const hours = [{ days: ['mon' as const], from: '18:00', to: '06:00' }]
    const { id, secret } = await mien.alerts.create({ url, hours, enabled: false })
    expect(await mien.alerts.get(id)).toMatchObject({ url, hours, enabled: false })
    expect((await mien.alerts.update(id, { url, enabled: false, name: 'door' })).hours).toBeUndefined()
    expect((await mien.alerts.rotateSecret(id)).secret).not.toBe(secret)
    const tests = [await mien.alerts.test(id), await mien.alerts.test(id)]
    const listed = await mien.alerts.deliveries(id, { limit: 1, state: 'pending' }).toArray()
    expect(listed.map(delivery => delivery.id)).toEqual(tests.map(test => test.id).reverse())
    expect(await codeOf(mien.alerts.retry(id, tests[0]!.id))).toBe('BAD_PARAM')
    expect((await mien.alerts.list().toArray()).map(alert => alert.name)).toEqual(['door'])
    await mien.alerts.delete(id)
    expect(await codeOf(mien.alerts.get(id))).toBe('NOT_FOUND')
  })

  it('searches the history, and the history of a person', async () => {
    const { id } = await mien.cameras.create()
    const [first, second] = [
      await mien.faces.enrol(PHOTO, { cam_id: id, timestamp: '2026-01-02T00:00:00' }),
      await mien.faces.enrol(PHOTO, { cam_id: id, timestamp: '2026-01-03T00:00:00' }),
    ].map(faces => faces[0]!.id)
    const ids = async (filter: object) =>
      (await mien.history.search({ cam_ids: [id], pageSize: 1, ...filter }).toArray()).map(event => event.id)
    expect(await ids({})).toEqual([second, first].sort((a, b) => b! - a!))
    expect(await ids({ end: '2026-01-02T12:00:00' })).toEqual([first])
    await mien.faces.update(first!, { person_id: 77 })
    expect(await ids({ person_id: 77 })).toEqual([first])
    const events = await mien.persons.history(77, { cam_ids: [id] }).toArray()
    expect(events.map(event => event.face_id)).toEqual([first])
    expect(await mien.persons.history(77, { end: '2026-01-01' }).toArray()).toEqual([])
    expect((await mien.persons.list().toArray()).map(person => person.id)).toContain(77)
    expect(await mien.persons.get(77)).toHaveProperty('id', 77)
    await mien.faces.update(second!, { person_id: 78 })
    const suggestions = await mien.persons.suggestions({ threshold: 'strict', limit: 1 }).toArray()
    expect(suggestions.map(({ persons }) => persons.map(person => person.id))).toContainEqual([78, 77])
    expect(await mien.persons.update(77, { meta: 'Ann' })).toEqual({ id: 77, meta: 'Ann' })
    expect(await mien.persons.summaries({ meta: 'Ann', pageSize: 1 }).toArray()).toMatchObject([
      { id: 77, count: 1 },
    ])
    expect(await mien.persons.merge(77, [78])).toMatchObject({ id: 77, count: 2 })
    const { who } = await mien.faces.get(first!, { who: true })
    expect(who).toEqual({ person: { id: 77, meta: 'Ann' }, confidence: 1, verdict: 'certain' })
    expect(await mien.persons.split(77, [second!], { meta: 'Ben' })).toMatchObject({ meta: 'Ben', count: 1 })
    expect(await mien.persons.summary(77)).toMatchObject({ count: 1, face: { id: first } })
    expect(await mien.persons.previewGrouping()).toMatchObject({ faces: expect.any(Number) })
    expect(await mien.persons.group('stop')).toEqual(await mien.persons.grouping())
    await mien.persons.delete(77)
    expect(await codeOf(mien.faces.get(first!))).toBe('NOT_FOUND')
  })

  it('creates, rotates, lists and revokes tokens', async () => {
    const { token, id } = await mien.tokens.create({ scope: 'admin', name: 'desk', expires: '2090-01-31' })
    const desk = new MienClient({ url: inject('edge'), token })
    expect(await desk.tokens.current()).toMatchObject({ id, owner: 'TypeScript client', scope: 'admin' })
    expect(await codeOf(desk.tokens.revoke(id))).toBe('BAD_PARAM')
    const next = await desk.tokens.rotate(id)
    expect(next).toMatchObject({ name: 'desk', replaced: { id, valid: true } })
    await mien.tokens.revoke(next.id)
    const tokens = await mien.tokens.list().toArray()
    expect(tokens.find(one => one.id === next.id)).toMatchObject({ valid: false })
    expect(await codeOf(mien.tokens.revoke(next.id))).toBe('NOT_FOUND')
  })

  it('reads the audit log in pages, verifies it, and reads the state of the service', async () => {
    const read = async (filter: object) =>
      (await mien.service.auditLog(filter).toArray(4)).map(({ seq }) => seq)
    const seqs = await read({ pageSize: 2 })
    expect(seqs).toHaveLength(4)
    expect(await read({ max_seq: seqs[1], pageSize: 2 })).toEqual(expect.arrayContaining(seqs.slice(2)))
    expect(await mien.service.verifyAuditLog()).toMatchObject({ intact: true })
    expect(await mien.service.get()).toMatchObject({ pack: 'standard', disk_full: false })
    expect(await mien.service.useDetector('standard')).toEqual(await mien.service.detectors())
    expect(await mien.service.changeSettings({ reset: [] })).toEqual(await mien.service.settings())
  })

  it('throws refusals with the boxes of the faces, the parameter and the id of the request', async () => {
    const several = mien.detect(PHOTO, { min_liveness: 2 })
    await expect(several).rejects.toMatchObject({ status: 400, code: 'BAD_PARAM', param: 'min_liveness' })
    const rejected = mien.faces.enrol(PHOTO, { mf_selector: 'reject' })
    await expect(rejected).rejects.toMatchObject({
      code: 'TOO_MANY_FACES',
      faces: expect.arrayContaining([SAME]),
      requestId: expect.stringMatching(/./),
    })
    const stranger = new MienClient({ url: inject('edge'), token: 'mien_unknown' })
    expect(await codeOf(stranger.faces.get(1))).toBe('AUTH_FAILED')
  })
})
