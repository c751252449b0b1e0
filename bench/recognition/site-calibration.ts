/**
 * Measures the benefit of a site calibration: computed from half of the people, tested on the other half, and vice
 * versa.
 */
import { gainOf } from '#core/calibration/gain.ts'
import type { Rates } from '#core/calibration/rates.ts'
import { chosenPack } from '#core/operations/upkeep/chosen-pack.ts'
import { requireUsable } from '#models/packs.ts'
import { exists, fixed, fromCaller, type Outcome, progress, table } from '../benchmark.ts'
import { readPeople } from '../lib/faces/people.ts'

export const description = 'true and false match rates with the table of the pack, and after "mien calibrate"'

export const options = {
  images: { type: 'string' },
  pack: { type: 'string' },
  data: { type: 'string' },
} as const

export async function run(values: { images?: string; pack?: string; data?: string }): Promise<Outcome> {
  const images = fromCaller(values.images ?? '../shared/data/lfw-dev')
  if (!(await exists(images))) return { table: `skipped: there is no ${images}`, result: { skipped: true } }

  const data = fromCaller(values.data ?? process.env.MIEN_DATA ?? 'data')
  const pack = requireUsable(await chosenPack(data, values.pack ?? process.env.MIEN_PACK))
  const { people } = await readPeople(images, pack, {}, (done, total) => {
    if (done % 500 < 16) progress(`${done} of ${total} pictures`)
  })
  const gain = gainOf(
    people.map(({ pictures }) => pictures),
    pack.embedder.calibration.default,
  )
  if (!gain)
    return { table: 'There are too few people to hold half of them back.', result: { skipped: true } }
  return {
    table: [
      `${people.length} people, ${gain.pack.strangers} pairs of strangers, ${gain.pack.same} of one person`,
      table([['', "the pack's table", 'calibrated'], ...rows(gain.pack, gain.site)]),
    ].join('\n\n'),
    result: { people: people.length, packs: gain.pack, calibrated: gain.site },
  }
}

function rows(pack: Rates, site: Rates): string[][] {
  const percent = (share: number) => `${fixed(100 * share)} %`
  const rate = (share: number) => share.toExponential(1)
  return [
    ...pack.named.flatMap(({ name, falseMatches, trueMatches }, i) => [
      [`${name}: false matches`, rate(falseMatches), rate(site.named[i]!.falseMatches)],
      [`${name}: true matches`, percent(trueMatches), percent(site.named[i]!.trueMatches)],
    ]),
    ...pack.at.map(({ falseMatches, trueMatches }, i) => [
      `true matches at ${rate(falseMatches)} false`,
      percent(trueMatches),
      percent(site.at[i]!.trueMatches),
    ]),
  ]
}
