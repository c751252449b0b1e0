/** Measures the memory of the store: new processes with many faces, compared with an empty one. */
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { benchmark, progress } from '../benchmark.ts'
import { startChild } from '../child.ts'
import type { MemoryTask } from '../lib/vectors/memory.child.ts'
import { fixed } from '../statistics.ts'

export default benchmark({
  description: 'memory of the store: bytes per face',
  options: { faces: 1_000_000, dimension: 128 },
  async run({ faces, dimension }, rig) {
    const folder = await rig.folder()
    const filled = { folder: 'filled' }
    // Each stage continues with the folder of the previous one.
    const stages: { name: string; faces: number; task: Omit<MemoryTask, 'dimension'> }[] = [
      { name: 'with an empty store', faces: 0, task: { folder: 'empty' } },
      { name: 'that added them', faces, task: { ...filled, add: faces } },
      { name: 'that opened it', faces, task: filled },
      { name: 'that made its index', faces, task: { ...filled, index: true } },
      { name: 'that opened it with the index', faces, task: filled },
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
        name,
        faces,
        residentMb: fixed(residentMb),
        growthMb: fixed(growthMb),
        bytesAFace: faces === 0 ? 0 : Math.round((growthMb * 2 ** 20) / faces),
        peakMb: fixed(peakMb),
      })
    }
    return { dimension, figures }
  },
})
