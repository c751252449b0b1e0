/** Measures the memory of the store: new processes with many faces, compared with an empty one. */
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { benchmark, progress } from '../benchmark.ts'
import { startChild } from '../child.ts'
import type { MemoryTask } from '../lib/vectors/memory.child.ts'
import { fixed } from '../statistics.ts'

const PER_SMALL_GALLERY = 10

export default benchmark({
  description: 'memory of the store: bytes per face in one large gallery, and in thousands of small ones',
  options: { faces: 1_000_000, dimension: 128, galleries: 10_000 },
  async run({ faces, dimension, galleries }, rig) {
    const folder = await rig.folder()
    const inSmall = galleries * PER_SMALL_GALLERY
    const small = { folder: 'small', perGallery: PER_SMALL_GALLERY }
    const large = { folder: 'large', perGallery: faces }
    // Each stage continues with the folder of the previous one.
    const stages: { name: string; faces: number; task: Omit<MemoryTask, 'dimension'> }[] = [
      { name: 'with an empty store', faces: 0, task: { folder: 'empty', perGallery: 1 } },
      { name: 'that added them to one gallery', faces, task: { ...large, add: faces } },
      { name: 'that opened it', faces, task: large },
      { name: 'that made its index', faces, task: { ...large, index: true } },
      { name: 'that opened it with the index', faces, task: large },
      { name: `that added them to ${galleries} galleries`, faces: inSmall, task: { ...small, add: inSmall } },
      { name: 'that opened these', faces: inSmall, task: small },
    ]
    const figures = []
    let emptyMb = 0
    for (const { name, faces, task } of stages) {
      progress(name)
      const place = join(folder, task.folder)
      await mkdir(place, { recursive: true })
      const child = startChild<{ residentMb: number; peakMb: number }>(
        new URL('../lib/vectors/memory.child.ts', import.meta.url),
        { ...task, folder: place, dimension },
      )
      const { residentMb, peakMb } = await child.next()
      if (faces === 0) emptyMb = residentMb
      const growthMb = residentMb - emptyMb
      figures.push({
        ...{ name, faces, residentMb: fixed(residentMb), growthMb: fixed(growthMb) },
        bytesAFace: faces === 0 ? 0 : Math.round((growthMb * 2 ** 20) / faces),
        peakMb: fixed(peakMb),
      })
    }
    return { dimension, figures }
  },
})
