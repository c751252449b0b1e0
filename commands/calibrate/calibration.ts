/** Calibrates confidences with pictures of a site's people, or removes the calibration. */
import { demographicsOf } from '../../core/calibration/demographics.ts'
import { gainOf } from '../../core/calibration/gain.ts'
import { makeCalibration } from '../../core/calibration/make.ts'
import { readSite, removeSite, type SiteFile, writeSite } from '../../core/calibration/site-file.ts'
import { embedderLabel } from '../../core/embedding/label.ts'
import { makeFolder } from '../../core/files/durable.ts'
import { writeOperation } from '../../core/metadata/audit-log/entries.ts'
import { chosenPack } from '../../core/operations/upkeep/chosen-pack.ts'
import { requireUsable } from '../../models/packs.ts'
import { buildAssets } from '../build/assets.ts'
import { readReady } from '../processes/ready-file.ts'
import { withProgress } from '../store/progress.ts'
import { type GlobalOptions, UsageError } from '../terminal/command-line.ts'
import { dataKeyFor, dataKeyOf, existingFolder, metadataOf } from '../terminal/data-folder.ts'
import { pathOf } from '../terminal/paths.ts'
import { embedPeople, picturesByPerson } from './pictures.ts'
import { describeGain, describeMade, describeMakeUp, printThresholds } from './report.ts'

interface CalibrateOptions extends GlobalOptions {
  images?: string
  off?: boolean
  pack?: string
}

/** Calibrates with the pictures of a folder, or removes the calibration. */
export async function changeCalibration({ images, off, pack, ...given }: CalibrateOptions): Promise<number> {
  if ((images === undefined) === !off) throw new UsageError('Give either --images DIR or --off.')
  const data = existingFolder(given.data)
  return images === undefined ? turnOff(data) : calibrate(data, pathOf(images), pack)
}

async function calibrate(data: string, images: string, packName: string | undefined): Promise<number> {
  const dataKey = await dataKeyFor(data)
  const pack = requireUsable(await chosenPack(data, packName))
  const paths = await picturesByPerson(images)
  await buildAssets(line => console.error(line), pack)
  const { people, estimated, pictures, without } = await withProgress('pictures', show =>
    embedPeople(pack, paths, done => show(done, paths.flat().length)),
  )
  if (without > 0) console.log(`Left out, since no face was found: ${without} files.`)
  const made = makeCalibration(people)
  console.log(`${pictures} pictures, ${describeMade(made, people.length)}\n`)
  console.log(`${describeMakeUp(demographicsOf(people, estimated))}\n`)
  console.log(`${describeGain(gainOf(people, pack.embedder.calibration.default, estimated))}\n`)
  await makeFolder(data)
  const site: SiteFile = {
    table: made.table,
    embedder: embedderLabel(pack),
    made: new Date().toISOString(),
    people: people.length,
    pictures,
  }
  await writeSite(data, site, dataKey)
  await writeOperation(
    data,
    { action: 'calibration.on', subject: { people: site.people } },
    await metadataOf(data),
  )
  console.log(`Kept in ${data}. ${await whenInEffect(data)}`)
  return 0
}

async function turnOff(data: string): Promise<number> {
  const removed = await removeSite(data)
  if (removed) await writeOperation(data, { action: 'calibration.off' }, await metadataOf(data))
  console.log(removed ? `The calibration is off. ${await whenInEffect(data)}` : 'There is no calibration.')
  return 0
}

/** Prints the calibration and the thresholds of the pack. `images` and `off` must be absent. */
export async function status({ images, off, ...given }: CalibrateOptions): Promise<number> {
  if (images !== undefined || off) throw new UsageError('status does not take --images or --off.')
  const data = existingFolder(given.data)
  const site = await readSite(data, await dataKeyOf(data))
  if (!site) console.log("There is no calibration: the pack's own table is in effect.")
  else {
    const { people, pictures, made, embedder } = site
    console.log(`Calibrated ${made} with ${pictures} pictures of ${people} people, for ${embedder}.`)
  }
  await printThresholds({ data })
  return 0
}

const whenInEffect = async (data: string): Promise<string> =>
  (await readReady(data).catch(() => undefined))
    ? 'The running service continues as before. This takes effect at its next start.'
    : 'This takes effect at the next start.'
