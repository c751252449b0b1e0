/** Checks of the installation: modes of files, models, a detection with them, and ffmpeg. */

import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { basename, join, relative } from 'node:path'
import { MienClient } from '../../clients/typescript/src/index.ts'
import { countText } from '../../contract/counted.ts'
import { openPaths } from '../../core/files/private.ts'
import { wrongFiles } from '../../core/packs/pack-files.ts'
import { openAnalyzer } from '../../core/photos/analyze.ts'
import { chosenPack, type PlacedPack } from '../../models/packs.ts'
import { remediesOf, stateText } from '../models/list.ts'
import { FFMPEG_REMEDY, ffmpegVersion } from '../processes/ffmpeg-program.ts'
import { WATCHER_TOKEN_FILE } from '../processes/programs.ts'
import { SAMPLE } from '../processes/ready.ts'
import { removedEmbedderIn } from '../store/open.ts'
import { type Check, note, ok, problem, type Subject, warning } from './check.ts'

/** Paths in a message; the others are counted. */
const MAX_NAMED = 5

export const modes: Check = async ({ data, exists }) => {
  if (!exists) return ok('There is no data folder yet: the first start creates it.')
  if (process.platform === 'win32') return ok('Windows has no modes of files.')
  const open = (await openPaths(data)).map(path => relative(data, path))
  if (open.length === 0) return ok('The files of the data folder are for their owner only.')
  const named = open.slice(0, MAX_NAMED).join(', ')
  return problem(
    `Other users may use ${countText(open.length, 'file')}: ${named}${open.length > MAX_NAMED ? ', ...' : ''}.`,
    'A start of the service corrects them. Files of other users need chown first.',
  )
}

export const models: Check = async ({ data, env }) => {
  const pack = await chosenPack(data, env.MIEN_PACK)
  const stored = await removedEmbedderIn(data)
  if (stored !== undefined)
    return problem(
      `The stored vectors are of ${stored}, an embedder of version 0.2.`,
      'Run "mien models reembed".',
    )
  const wrong = await wrongFiles(pack)
  if (wrong.length === 0) return ok(`All files of the pack "${pack.name}" are as its manifest says.`)
  const text = `Files of the pack "${pack.name}": ${stateText(wrong)}.`
  const grade = wrong.some(([, state]) => state === 'damaged') ? problem : warning
  return grade(text, remediesOf(pack, wrong))
}

/** People on the sample photo. */
const PEOPLE = 3

export const detection: Check = async subject => {
  const pack = await chosenPack(subject.data, subject.env.MIEN_PACK)
  if (!subject.ready && (await wrongFiles(pack)).length > 0)
    return warning('Nothing was detected: files of the pack are missing or damaged.', 'See models above.')
  const place = subject.ready ? 'The running service' : 'This process'
  const faces = await (subject.ready ? facesByService(subject.ready) : facesHere(pack))
  const text = `${place} finds ${countText(faces, 'face')} on ${basename(SAMPLE)}, which shows ${PEOPLE} people.`
  if (faces === PEOPLE) return ok(text)
  return problem(
    text,
    'Check the models: mien models verify. Then look for errors in the log of the service.',
  )
}

async function facesByService({ edge: url, token }: NonNullable<Subject['ready']>) {
  const { faces } = await new MienClient({ url, token }).detect(new Uint8Array(await readFile(SAMPLE)))
  return faces.length
}

/** Time limit of the detection in milliseconds: longer than the limit of the service, for a busy machine. */
const LIMITS = { photos: 1, milliseconds: 60_000 }

async function facesHere(pack: PlacedPack) {
  const analyzer = openAnalyzer({ pack, limits: LIMITS })
  try {
    return (await analyzer.analyze(await readFile(SAMPLE), undefined, 'photo')).faces.length
  } finally {
    await analyzer.close()
  }
}

/** The oldest version that has all options of the watcher. */
const OLDEST = 5

export const ffmpeg: Check = async ({ data, env }) => {
  const version = await ffmpegVersion(undefined, env)
  if (version === undefined) {
    // "mien start --watch" leaves its token.
    if (existsSync(join(data, WATCHER_TOKEN_FILE)))
      return problem('There is no ffmpeg: "mien start --watch" cannot read cameras.', FFMPEG_REMEDY)
    return note(
      'There is no ffmpeg: cameras cannot be watched on this machine.',
      `For cameras: ${FFMPEG_REMEDY}`,
    )
  }
  const major = /^n?(\d+)/.exec(version)?.[1]
  if (major !== undefined && Number(major) < OLDEST)
    return warning(`ffmpeg ${version} is older than ${OLDEST}.`, `For mien watch: ${FFMPEG_REMEDY}`)
  return ok(`ffmpeg ${version}.`)
}
