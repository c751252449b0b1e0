/** Measures the benefit of a site calibration: computed from half of the people, tested on the other half, and vice versa. */
import { gainOf } from '#core/calibration/gain.ts'
import { chosenPack } from '#core/operations/upkeep/chosen-pack.ts'
import { requireUsable } from '#models/packs.ts'
import { benchmark, DATA, existing, fromCaller, need } from '../benchmark.ts'
import { readPeople } from '../lib/faces/read-faces.ts'

export default benchmark({
  description: 'true and false match rates with the table of the pack, and after "mien calibrate"',
  options: { images: '../shared/data/lfw-dev', limit: 0, pack: process.env.MIEN_PACK ?? '', data: DATA },
  async run({ images, limit, pack: name, data }) {
    const folder = await existing(images)
    const pack = requireUsable(await chosenPack(fromCaller(data), name || undefined))
    const { people } = await readPeople(folder, pack, limit)
    const gain = gainOf(
      people.map(({ pictures }) => pictures),
      pack.embedder.calibration.default,
    )
    need(gain, 'more people, half of whom are held back')
    return { people: people.length, packs: gain.pack, calibrated: gain.site }
  },
})
