/** `npm run calibrate`: makes confidences mean at this site what they promise, off the operator's own pictures; or no more. */
import { existsSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { gainOf } from '../core/calibration/gain.ts'
import { makeCalibration } from '../core/calibration/make.ts'
import { readSite, removeSite, type SiteFile, writeSite } from '../core/calibration/site-file.ts'
import { embedderLabel } from '../core/embedding/label.ts'
import { makeFolder } from '../core/files/durable.ts'
import { writeOperation } from '../core/metadata/operations.ts'
import { chosenPack, usable } from '../models/packs.ts'
import { buildAssets } from './build.ts'
import { embedPeople, picturesByPerson } from './calibrate/pictures.ts'
import { describeGain, describeMade } from './calibrate/report.ts'
import { dataKeyFor, dataKeyOf } from './data-key.ts'
import { metadataOf } from './metadata.ts'
import { runCommand } from './misused.ts'
import { dataFolder, pathOf } from './paths.ts'
import { withProgress } from './store/progress.ts'

const USAGE = `npm run calibrate -- --images DIR   calibrate with these pictures, and say what it is worth
npm run calibrate -- status         is this installation calibrated, and with what?
npm run calibrate -- --off          back to the pack's own table

  --data DIR    data folder                                MIEN_DATA  (./data of the project)
  --pack NAME   the pack of the service                    MIEN_PACK  (the chosen one)

DIR has a folder of pictures for each person, or pictures of one person each, all of different people.`

const ROOT = resolve(import.meta.dirname, '..')

async function run(args: string[]): Promise<number> {
  const { values, positionals } = parseArgs({
    args,
    allowPositionals: true,
    options: {
      images: { type: 'string' },
      off: { type: 'boolean', default: false },
      data: { type: 'string' },
      pack: { type: 'string' },
    },
  })
  const data = dataFolder(values.data, ROOT)
  const asked = [values.images !== undefined, values.off, positionals.join() === 'status']
  if (asked.filter(Boolean).length !== 1 || (positionals.length > 0 && !asked[2])) {
    console.error(USAGE)
    return 2
  }
  if (values.off) return turnOff(data)
  if (values.images === undefined) return status(data)
  return calibrate(data, pathOf(values.images), values.pack ?? process.env.MIEN_PACK)
}

async function calibrate(data: string, images: string, packName: string | undefined): Promise<number> {
  const dataKey = await dataKeyFor(data)
  const pack = usable(await chosenPack(data, packName))
  const paths = await picturesByPerson(images)
  await buildAssets(line => console.error(line), pack)
  const { people, pictures, without } = await withProgress('pictures', show =>
    embedPeople(pack, paths, done => show(done, paths.flat().length)),
  )
  if (without > 0) console.log(`Left out, since no face was found: ${without} files.`)
  const made = makeCalibration(people)
  console.log(`${pictures} pictures, ${describeMade(made, people.length)}\n`)
  console.log(`${describeGain(gainOf(people, pack.embedder.calibration))}\n`)
  await makeFolder(data)
  const { cohort, table } = made
  const site: SiteFile = {
    cohort,
    table,
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
  console.log(`Kept in ${data}. ${whenItCounts(data)}`)
  return 0
}

async function turnOff(data: string): Promise<number> {
  const removed = await removeSite(data)
  if (removed) await writeOperation(data, { action: 'calibration.off' }, await metadataOf(data))
  console.log(removed ? `The calibration is gone. ${whenItCounts(data)}` : 'There is no calibration.')
  return 0
}

async function status(data: string): Promise<number> {
  const site = await readSite(data, await dataKeyOf(data))
  if (!site) console.log("There is no calibration: the pack's own table counts.")
  else {
    const { people, pictures, made, embedder } = site
    console.log(`Calibrated ${made} with ${pictures} pictures of ${people} people, for ${embedder}.`)
  }
  return 0
}

const whenItCounts = (data: string): string =>
  existsSync(join(data, 'ready.json'))
    ? 'The service that runs goes on as before: it counts from its next start.'
    : 'It counts from the next start.'

await runCommand(USAGE, () => run(process.argv.slice(2)))
