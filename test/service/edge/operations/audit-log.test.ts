/** The audit log by the API. */
import { inject } from 'vitest'
import { clientOf, form, sample } from '#test/support/client.ts'
import { newToken } from '#test/support/tokens.ts'

it('GET /audit-log has the present names of ids, and none of deleted ones', async () => {
  const token = newToken(inject('data'), `operator ${process.pid}`, { name: 'front desk' })
  const api = clientOf(inject('edge'), token)
  const { body: camera } = await api('POST', '/v1/camera', { meta: 'Front door' })
  const newest = async () => (await api('GET', '/v1/audit-log?limit=1')).body.results[0]
  const { subject, names } = await newest()
  expect(names).toEqual({ actor: 'front desk', camera: 'Front door' })
  const photo = new Uint8Array(await sample(1))
  await api('POST', '/v1/galleries/staff', { display_name: 'Our staff' })
  const fields = { photo, cam_id: camera.id, galleries: 'staff', person: 'Ann Lee' }
  await expect(api('POST', '/v1/face', form(fields))).toAnswer(200)
  expect(await newest()).toMatchObject({
    action: 'enrol',
    subject: { camera: subject.camera },
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
