/** Snapshots and clips of events: who may send and read them. */
import { inject } from 'vitest'
import { clientOf, type Field, form, type Send, sample } from '#test/support/client.ts'
import { CLIP } from '#test/support/operation-samples.ts'
import { newToken } from '#test/support/tokens.ts'

const PHOTO = await sample(4)
const OWNER = `footage ${process.pid}`

describe('PUT /face/id/ID/snapshot and /clip', () => {
  let api: Send
  let device: Send
  let face: string

  beforeAll(async () => {
    const tokenOf = (scope: 'admin' | 'camera') => newToken(inject('data'), OWNER, { scope })
    api = clientOf(inject('edge'), tokenOf('admin'))
    device = clientOf(inject('edge'), tokenOf('camera'))
    const options = JSON.stringify({ snapshot: 'true', clip: true })
    const { id: camera } = (await api('POST', '/v1/camera', { options })).body
    const { results } = (await device('POST', '/v1/face', form({ photo: PHOTO, cam_id: camera }))).body
    face = `/v1/face/id/${results[0].id}`
  })

  const put = async (send: Send, kind: string, file: Field) => {
    return (await send('PUT', `${face}/${kind}`, form({ [kind]: file }))).status
  }

  it('store them for the owner, who gets links that also answer a part', async () => {
    expect((await api('GET', face)).body).not.toHaveProperty('clip')
    expect(await put(device, 'snapshot', PHOTO)).toBe(204)
    expect(await put(device, 'clip', CLIP)).toBe(204)
    const { snapshot, clip } = (await api('GET', face)).body
    const photo = await fetch(snapshot)
    expect(photo.headers.get('content-type')).toBe('image/jpeg')
    expect(Buffer.from(await photo.arrayBuffer()).equals(PHOTO)).toBe(true)
    const part = await fetch(clip, { headers: { range: 'bytes=4-7' } })
    expect(part.status).toBe(206)
    expect(part.headers.get('content-type')).toBe('video/mp4')
    expect(part.headers.get('content-range')).toBe(`bytes 4-7/${CLIP.length}`)
    expect(await part.text()).toBe('ftyp')
    await expect(fetch(clip, { headers: { range: 'bytes=999-' } })).toAnswer(200)
    await expect(fetch(clip.replace('clip.mp4', 'snapshot.jpg'))).toAnswer(404)
  })
})
