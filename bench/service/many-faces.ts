/** Measures the largest allowed requests: a photo with as many faces as one request takes. */
import { PHOTO_LIMITS } from '#contract/limits/photos.ts'
import { benchmark } from '../benchmark.ts'
import { type Field, form } from '../harness/client.ts'
import { descendantOf, memoryOf } from '../harness/processes.ts'
import { crowd } from '../photos.ts'
import { fixed, timed } from '../statistics.ts'

export default benchmark({
  description:
    'seconds per request on a photo with as many faces as one request takes, and memory of the edge',
  options: { faces: PHOTO_LIMITS.selectedFaces, persons: false },
  async run({ faces, persons }, rig) {
    const env = { MIEN_PERSON_IDENTIFY: String(persons) }
    const { send, pid } = await rig.service({ env })
    const edge = await descendantOf(pid, 'workerd serve')
    const { bytes, boxes } = await crowd(faces)
    const second = await crowd(Math.max(1, Math.floor(PHOTO_LIMITS.pairs / faces)))
    // Named by boxes: detection does not find every face of a photo that is full of them, and landmarks cost more without it.
    const named = { photo: bytes, bbox: JSON.stringify(boxes) }
    const bbox2 = JSON.stringify(second.boxes)
    const requests: Record<string, [path: string, fields: Record<string, Field>]> = {
      'detect, quality': ['/v1/detect', { ...named, quality: 'true' }],
      face: ['/v1/face', named],
      identify: ['/v1/identify', named],
      verify: ['/v1/verify', { photo1: bytes, photo2: second.bytes, bbox1: named.bbox, bbox2 }],
    }
    const measured = []
    for (const [request, [path, fields]] of Object.entries(requests)) {
      let answered = 0
      const ms = await timed(async () => {
        const { status, body } = await send('POST', path, form(fields))
        if (status !== 200) throw new Error(`${request}: ${status} ${body.reason}`)
        answered = Object.keys(body.faces ?? body.results).length
      })
      measured.push({
        request,
        answered,
        seconds: fixed(ms / 1_000),
        edgeMb: fixed(await memoryOf(edge, 'VmHWM'), 0),
      })
    }
    return { requests: measured }
  },
})
