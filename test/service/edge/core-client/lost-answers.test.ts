/** Changes whose answers from core are lost on the way to a real edge. */
import { inject } from 'vitest'
import { startForwarder } from '#test/recovery/forwarder.ts'
import { clientOf, form, sample } from '#test/support/client.ts'
import { newToken } from '#test/support/tokens.ts'
import { startEdge } from '../edge-process.ts'

/** An edge behind which the first answer to each kind of change is lost. */
async function losing() {
  const core = await startForwarder(inject('core'))
  const lost = new Set<string>()
  core.losesAnswer = path => {
    const [message, query] = path.split('?')
    const isLost = query !== undefined && !lost.has(message!)
    if (isLost) lost.add(message!)
    return isLost
  }
  const edge = await startEdge(inject('data'), [core.url])
  return { api: clientOf(edge, newToken(inject('data'), 'lost answers')), lost }
}

it('a change whose answer is lost is executed once, and the caller gets its answer', {
  tags: 'long',
}, async () => {
  const { api, lost } = await losing()
  await expect(api('POST', '/v0/galleries/lost')).toAnswer(201)
  const posted = await api('POST', '/v0/face', form({ photo: await sample(1), meta: 'lost' }))
  expect(posted.status).toBe(200)
  const [{ id }] = posted.body.results
  expect(
    (await api('GET', '/v0/face/meta/lost')).body.results.map((face: { id: number }) => face.id),
  ).toEqual([id])
  expect((await api('PUT', `/v0/face/id/${id}`, { meta: 'found' })).body.meta).toBe('found')
  await expect(api('DELETE', `/v0/face/id/${id}`)).toAnswer(204)
  await expect(api('DELETE', '/v0/galleries/lost')).toAnswer(204)
  expect([...lost].sort()).toEqual([
    '/internal/enrol',
    '/internal/face.delete',
    '/internal/face.update',
    '/internal/gallery.create',
    '/internal/gallery.delete',
  ])
})
