/** Measures rotated photos: whether their faces are found, and how similar their embeddings are to embeddings of upright photos. */
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import sharp from 'sharp'
import { tableScale } from '#core/calibration/scale.ts'
import { openEmbedder } from '#core/embedding/embedder.ts'
import { dot, unitVector } from '#core/vector-store/unit-vector.ts'
import { packNamed, STANDARD_NAME } from '#models/packs.ts'
import { benchmark, DATA, existing, fromCaller, tell } from '../benchmark.ts'
import { facesOn, openAnalysis, picturesIn } from '../lib/faces/analysis.ts'
import { evenly, fixed, mean } from '../statistics.ts'

const TURNS = [0, 90, 180, 270] as const

/** Least confidence of one face at the threshold `medium`. */
const MEDIUM = 0.6616

export default benchmark({
  description: 'faces of turned photos: share that is found, and confidence with the upright face',
  options: { images: '../shared/data/lfw-dev', limit: 200, pack: STANDARD_NAME, data: DATA },
  async run({ images, limit, pack: name, data }, rig) {
    const folder = await existing(images)
    const pack = await packNamed(fromCaller(data), name)
    const [models, embedder] = [await openAnalysis(pack), await openEmbedder({ pack })]
    rig.defer(() => embedder.close())
    const scale = tableScale(pack.embedder.calibration!.default)
    const read = async (photo: Uint8Array) => {
      const [face] = await facesOn(models, photo, { selector: 'biggest', quality: true })
      return face && { ...face, unit: unitVector((await embedder.embed([face.chip]))[0]!) }
    }
    const found = new Map(TURNS.map(turn => [turn, [] as { confidence: number; roll: number }[]]))
    const paths = evenly(await picturesIn(folder), limit)
    let upright = 0
    for (const [i, path] of paths.entries()) {
      tell(i, paths.length)
      const photo = await readFile(join(folder, path))
      const first = await read(photo)
      if (!first) continue
      upright++
      for (const turn of TURNS) {
        const face = await read(await sharp(photo).rotate(turn).jpeg({ quality: 95 }).toBuffer())
        if (!face) continue
        const confidence = scale.confidence(dot(first.unit, face.unit, 0))
        found.get(turn)!.push({ confidence, roll: face.quality!.roll })
      }
    }
    return {
      turned: [...found].map(([turn, faces]) => ({
        turn,
        found: fixed(faces.length / upright, 3),
        same: fixed(faces.filter(({ confidence }) => confidence >= MEDIUM).length / upright, 3),
        confidence: fixed(mean(faces.map(({ confidence }) => confidence)), 3),
        rollRight: fixed(
          faces.filter(({ roll }) => Math.abs(((roll - turn + 540) % 360) - 180) < 45).length / upright,
          3,
        ),
      })),
    }
  },
})
