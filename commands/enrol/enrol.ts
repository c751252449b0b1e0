/** Runs `mien enrol`: checks a list, enrols its photos, and reports. */

import { stat } from 'node:fs/promises'
import { type MienClient, MienError, MienNetworkError } from '../../clients/typescript/src/index.ts'
import { countText } from '../../contract/counted.ts'
import { printJson, stopOnSignal, UsageError } from '../terminal/command-line.ts'
import { type Connection, connect } from '../terminal/connection.ts'
import { pathOf } from '../terminal/paths.ts'
import { withProgress } from '../terminal/progress.ts'
import { enrolList } from './enrol-list.ts'
import type { EnrolSettings } from './enrol-photo.ts'
import { openJob } from './job.ts'
import { countsOf, isAllEnrolled, printText, type Summary, severalText } from './outcome.ts'
import { type CheckedList, checkList, openList, type PhotoList, problemText } from './photo-list.ts'
import { FIELDS, type Field, type FieldDefaults, unknownName } from './row.ts'

/** Options as commander parses them. */
export interface EnrolOptions {
  data?: string
  url?: string
  tokenFile?: string
  meta?: string
  galleries?: string
  camera?: string
  time?: string
  selector: string
  pattern?: string
  column?: string[]
  ignoreColumn?: string[]
  delimiter?: string
  skipBadRows?: true
  followLinks?: true
  dryRun?: true
  minQuality?: number
  checkOthers?: NonNullable<EnrolSettings['checkOthers']> | true
  createGalleries?: true
  job?: string
  restart?: true
  report?: string
  json?: true
}

/** Exit codes. The command line has 2 for usage errors. */
const DONE = 0
const INCOMPLETE = 1
const STOPPED = 130

/** Runs the command and returns the exit code. Throws UsageError, and Errors for the operator. */
export async function enrol(options: EnrolOptions, path: string): Promise<number> {
  const { meta, galleries, camera, time, selector, pattern, delimiter, followLinks } = options
  const list = await openList(pathOf(path), {
    defaults: { meta, galleries, camera, time, selector } satisfies FieldDefaults,
    pattern,
    columns: options.column && columnsOf(options.column),
    ignored: options.ignoreColumn,
    delimiter,
    followLinks,
  })
  const job = options.job ? pathOf(options.job) : `${list.path}.mien-enrol.jsonl`
  if (options.dryRun) return exitCodeOf(await dryRun(list, job, options))
  const checked = await checkList(list)
  if (exitCodeOf(checked) !== DONE && !(options.skipBadRows && checked.isReadable)) {
    const advice = checked.isReadable ? ', or leave these rows out with --skip-bad-rows' : ''
    console.error(`Nothing was sent. Correct the list${advice}.`)
    return INCOMPLETE
  }
  if (checked.photos === 0) throw new Error(`There are no photos in ${list.path}.`)
  const summary = await run(options, { list, checked, job })
  if (options.json) printJson(summary)
  else printText(summary)
  if (!summary.complete) return STOPPED
  return isAllEnrolled(summary) ? DONE : INCOMPLETE
}

/** `file=photo` -> the name of the column of each field. Throws UsageError. */
function columnsOf(given: readonly string[]): { [F in Field]?: string } {
  const columns = given.map(text => {
    const [field = '', ...name] = text.split('=')
    if (!FIELDS.some(known => known === field)) throw new UsageError(unknownName('field', field, FIELDS))
    if (name.join('') === '') throw new UsageError(`--column takes FIELD=NAME, not "${text}".`)
    return [field, name.join('=')] as const
  })
  return Object.fromEntries(columns)
}

/** Prints the requests of a run without sending them: counts, or each row as a line of JSON. */
async function dryRun(list: PhotoList, job: string, { json }: EnrolOptions): Promise<CheckedList> {
  const metas = new Set<string>()
  const checked = await checkList(list, ({ name, path: _, ...row }) => {
    if (json) process.stdout.write(`${JSON.stringify({ file: name, ...row })}\n`)
    else metas.add(row.meta)
  })
  if (json) return checked
  const { photos, bytes, galleries } = checked
  const size = `${(bytes / 1e6).toFixed(1)} MB`
  const named = `${countText(photos, 'photo')} (${size}) with ${countText(metas.size, 'meta')}`
  console.log(`${named} would be enrolled from ${list.path}.`)
  if (galleries.size > 0) console.log(`Galleries: ${[...galleries].sort().join(', ')}`)
  if (await stat(job).catch(() => undefined))
    console.log(`Photos that ${job} records as finished are left out.`)
  return checked
}

/** Prints the problems of a list. */
function exitCodeOf({ problems, problemCount }: CheckedList): number {
  for (const problem of problems) console.error(problemText(problem))
  const more = problemCount - problems.length
  if (more > 0) console.error(`... and ${more} more`)
  return problemCount === 0 ? DONE : INCOMPLETE
}

async function run(
  options: EnrolOptions,
  { list, checked, job: path }: { list: PhotoList; checked: CheckedList; job: string },
): Promise<Summary> {
  const { createGalleries = false, restart = false, minQuality, checkOthers } = options
  const service = await connect({ ...options, retries: 0 })
  const { client, address } = service
  await requireGalleries(service, checked.galleries, createGalleries)
  const place = { path, list: list.path, service: address, options: photoOptions(options), restart }
  const job = await openJob(place, (face, hash) => hasFace(client, face, hash))
  try {
    const isWhole = await withProgress(
      'enrol',
      show =>
        enrolList({
          list,
          job,
          client,
          stop: stopOnSignal(sayStop).signal,
          minQuality,
          checkOthers: checkOthers === true ? 'strict' : checkOthers,
          onProgress: ({ finished, notEnrolled, several }) =>
            show(finished, undefined, { notEnrolled, several: severalText(several) }),
        }),
      { ...PROGRESS, total: checked.photos, values: { notEnrolled: 0, several: severalText(0) } },
    )
    const lines = job.lines(isWhole)
    const { writeReport } = await import('./report.ts')
    const reports = options.report
      ? await writeReport(lines, { out: pathOf(options.report), list, isWhole })
      : []
    return {
      photos: checked.photos,
      complete: isWhole,
      finished_before: job.finishedBefore,
      outcomes: countsOf(lines),
      similar: lines.filter(({ similar }) => similar).length,
      several_people: lines.filter(({ seen }) => seen !== undefined).length,
      bad_rows: checked.problemCount,
      job: path,
      reports,
    }
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    throw new Error(`${reason}\nRun the same command again to continue. ${path} keeps what is finished.`, {
      cause: error,
    })
  } finally {
    await job.close()
  }
}

/** A bar on a terminal, a line every ten seconds elsewhere. */
const PROGRESS = {
  format:
    'enrol {bar} {percentage}% {value}/{total} | {eta_formatted} left | {notEnrolled} not enrolled | {several}',
  noTTYOutput: true,
  notTTYSchedule: 10_000,
}

/** Options of every photo, by their names on the command line. */
const photoOptions = (options: EnrolOptions): Record<string, string> =>
  Object.fromEntries(
    (['meta', 'galleries', 'camera', 'time', 'selector', 'pattern'] as const).flatMap(name => {
      const value = options[name]
      return value === undefined ? [] : [[name, value]]
    }),
  )

/**
 * Creates missing galleries, or throws an Error that names them. Throws an Error if no service answers. A token that may not
 * list galleries checks nothing.
 */
async function requireGalleries(
  { client, address }: Connection,
  named: ReadonlySet<string>,
  mayCreate: boolean,
) {
  const missing = new Set(named)
  try {
    for await (const gallery of client.galleries.list()) missing.delete(gallery)
  } catch (error) {
    if (error instanceof MienError && error.code === 'FORBIDDEN') return
    if (error instanceof MienNetworkError)
      throw new Error(`No service answers at ${address}.`, { cause: error })
    throw error
  }
  if (missing.size > 0 && !mayCreate)
    throw new Error(
      `The service has no gallery ${[...missing].join(', ')}. Create what is missing with --create-galleries.`,
    )
  for (const gallery of missing) {
    await client.galleries.create(gallery).catch(error => {
      if (!(error instanceof MienError && error.code === 'GALLERY_EXISTS')) throw error
    })
  }
}

/** Whether the service has the face of this photo. */
async function hasFace(client: MienClient, face: number, hash: string) {
  try {
    return (await client.faces.get(face)).photo_hash === hash
  } catch (error) {
    if (error instanceof MienError && error.code === 'NOT_FOUND') return false
    throw error
  }
}

const sayStop = () =>
  void process.stderr.write('\nStopping after the photos under way. Press Ctrl-C again to stop at once.\n')
