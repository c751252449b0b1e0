/** Number of requests that an operation sends to core. */
import { expect, it } from 'vitest'
import { appWith } from '../app-with.ts'

/** A form with a photo, which no one decodes. */
function form(fields: Record<string, string> = {}): FormData {
  const data = new FormData()
  data.append('photo', new File([new Uint8Array(9)], 'photo.jpg'))
  for (const [name, value] of Object.entries(fields)) data.append(name, value)
  return data
}

const box = { x1: 10, y1: 10, x2: 90, y2: 90 }
const thumbnail = { width: 2, height: 2, data: new Uint8Array(12), face: box }
const chip = new Uint8Array(144 * 144 * 3)

/** An edge whose photos have one face, and the operations that it requests from core. */
function edgeWithCore() {
  const requested: string[] = []
  const core: object = {
    async call(operation: string) {
      requested.push(operation)
      return { response: { faces: [], matches: [[]], live: 1, total: 1 }, blobs: [] }
    },
    forRequest: () => core,
  }
  const selected = [{ box, chip, thumbnail }]
  const faces = { analyze: async () => ({ orientation: 1, limited: false, faces: [box], selected }) }
  return { edge: appWith({ core, faces }), requested }
}

it('POST /v0/face with galleries, a camera and an Idempotency-Key sends one request to core', async () => {
  const { edge, requested } = edgeWithCore()
  const response = await edge.request('/v0/face', {
    method: 'POST',
    headers: { 'idempotency-key': 'once' },
    body: form({ galleries: 'staff', cam_id: '0f8fad5b-d9cb-469f-a165-70867728950e' }),
  })
  expect(response.status).toBe(200)
  expect(requested).toEqual(['enrol'])
})

it('POST /v0/faces/gallery/staff/identify sends one request to core', async () => {
  const { edge, requested } = edgeWithCore()
  const path = '/v0/faces/gallery/staff/identify'
  expect((await edge.request(path, { method: 'POST', body: form() })).status).toBe(200)
  expect(requested).toEqual(['identify'])
})
