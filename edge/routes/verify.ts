/** POST /verify: do two photos show one person? */
import * as z from 'zod'
import { type Box, boxOf } from '../../core/contract/bbox.ts'
import type { Deps } from '../deps.ts'
import { boxes, optional, photo, selector, threshold } from '../fields.ts'
import { readPhoto } from '../photo.ts'
import { answer, route } from '../route.ts'

const VerifyParameters = z.object({
  photo1: photo,
  photo2: photo,
  bbox1: optional(boxes),
  bbox2: optional(boxes),
  threshold,
  mf_selector: selector,
})

export const verify = ({ core, faces }: Deps) =>
  route(VerifyParameters, async ({ params }) => {
    const select = async (param: 'photo1' | 'photo2', given: Box[] = []) => {
      const file = await readPhoto(core, params[param])
      return (await faces.look(file.bytes, { selector: params.mf_selector, boxes: given }, param)).selected
    }
    // One after the other: two decoded photos at once may not fit the isolate.
    const first = await select('photo1', params.bbox1)
    const second = await select('photo2', params.bbox2)
    const chips = [...first, ...second].map(face => face.chip)
    const { confidences } = (await core.ask('compare', { first: first.length }, chips)).answer
    const threshold = params.threshold
    const results = first.flatMap((a, i) =>
      second.map((b, j) => {
        const confidence = confidences[i]?.[j] ?? 0
        const pair = { bbox1: boxOf(a.box), bbox2: boxOf(b.box), confidence }
        return threshold === 'none' ? pair : { ...pair, verified: confidence >= threshold }
      }),
    )
    if (threshold === 'none') return answer({ results })
    // Each face on the first photo has a match on the second.
    const verified = confidences.every(row => row.some(confidence => confidence >= threshold))
    return answer({ results, verified })
  })
