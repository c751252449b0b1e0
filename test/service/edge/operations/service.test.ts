/** The audit log and the state of the service by the API. */
import { beforeAll, describe, expect, inject, it } from 'vitest'
import { clientOf, form, type Send, sample } from '#test/support/client.ts'
import { newToken } from '#test/support/tokens.ts'

const OWNER = `operator ${process.pid}`

let api: Send
let other: Send
beforeAll(() => {
  api = clientOf(inject('edge'), newToken(inject('data'), OWNER, { name: 'front desk' }))
  other = clientOf(inject('edge'), newToken(inject('data'), `other ${OWNER}`))
})

interface Entry {
  seq: number
  actor: string
  action: string
  subject: object
}

describe('GET /audit-log', () => {
  it('lists the entries of the owner only, newest first', async () => {
    for (const name of ['a', 'b', 'c']) await api('POST', `/v1/galleries/${name}`, { retention_days: 7 })
    await other('POST', '/v1/galleries/d')
    const all: Entry[] = (await api('GET', '/v1/audit-log')).body.results
    expect(all.map(({ action }) => action)).toEqual([...Array(3).fill('gallery.create'), 'token.create'])
    expect(all.map(({ seq }) => seq)).toEqual(all.map(({ seq }) => seq).sort((a, b) => b - a))
    expect(all[0]).toMatchObject({ subject: { gallery: expect.any(Number), retention_days: 7 } })
    expect(JSON.stringify(all)).not.toContain(OWNER)
    expect(all.at(-1)).toMatchObject({ actor: 'operator', action: 'token.create' })
  })

  it('names what ids are called now, and forgets the names of what is deleted', async () => {
    const { body: camera } = await api('POST', '/v1/camera', { meta: 'Front door' })
    const photo = new Uint8Array(await sample(1))
    await api('POST', '/v1/galleries/staff', { display_name: 'Our staff' })
    const fields = { photo, cam_id: camera.id, galleries: 'staff', person: 'Ann Lee' }
    expect((await api('POST', '/v1/face', form(fields))).status).toBe(200)
    const newest = async () => (await api('GET', '/v1/audit-log?limit=1')).body.results[0]
    expect(await newest()).toMatchObject({
      action: 'enrol',
      names: { actor: 'front desk', camera: 'Front door', galleries: 'Our staff', person: 'Ann Lee' },
    })
    const text = form({ photo, person_id: 'emp-1' })
    const { body: own } = await api('POST', '/v1/face', text)
    expect(own.results[0]).toMatchObject({ person_id: 'emp-1' })
    expect((await newest()).names).toEqual({ actor: 'front desk' })
    await api('DELETE', `/v1/camera/${camera.id}`)
    expect(await newest()).toMatchObject({ action: 'camera.delete', names: { actor: 'front desk' } })
    const log = JSON.stringify((await api('GET', '/v1/audit-log')).body)
    expect(log).not.toContain('Front door')
    expect(log).toContain('Our staff')
  })
})
