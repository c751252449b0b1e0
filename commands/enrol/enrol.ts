/** `mien enrol`: checks a list, enrols its photos, and reports. */
import { type MienClient, MienError, MienNetworkError } from '../../clients/typescript/src/index.ts'
import { type Connection, type ConnectionOptions, connect } from '../terminal/connection.ts'
import { dryRun } from './dry-run.ts'
import { type Job, openJob } from './job/job.ts'
import { type CheckedList, checkList, problemText } from './list/check-list.ts'
import { type ListSettings, openList, type PhotoList } from './list/photo-list.ts'
import { showProgress } from './progress.ts'
import type { ReportSettings } from './report/report.ts'
import { enrolList } from './sending/enrol-list.ts'
import type { EnrolSettings } from './sending/enrol-photo.ts'
import { onStop } from './stop.ts'
import { isComplete, printSummary, type Summary, summaryOf } from './summary.ts'

export interface EnrolCommand extends ListSettings, EnrolSettings, ConnectionOptions {
  /** Absolute path of the folder or list. */
  path: string
  /** Absolute path of the job file; beside the list when absent. */
  job: string | undefined
  restart: boolean
  /** Absolute path of the report without extension. */
  report: string | undefined
  dryRun: boolean
  json: boolean
  /** Leave out rows that cannot be enrolled. */
  skipBadRows: boolean
  /** Create galleries that the list names. */
  createGalleries: boolean
}

/** Exit codes. The command line has 2 for usage errors. */
const DONE = 0
const INCOMPLETE = 1
const STOPPED = 130

/** Runs the command and returns the exit code. Throws UsageError, and Errors for the operator. */
export async function enrol(command: EnrolCommand): Promise<number> {
  const { path, defaults, pattern, delimiter, columns, ignored, followLinks, json } = command
  const list = await openList(path, { defaults, pattern, delimiter, columns, ignored, followLinks })
  const job = command.job ?? `${path}.mien-enrol.jsonl`
  if (command.dryRun) return exitCodeOf(await dryRun(list, { job, json }))
  const checked = await checkList(list)
  if (exitCodeOf(checked) !== DONE && !command.skipBadRows) {
    console.error('Nothing was sent. Correct the list, or leave these rows out with --skip-bad-rows.')
    return INCOMPLETE
  }
  if (checked.photos === 0) throw new Error(`There are no photos in ${path}.`)
  const { summary, isStopped } = await run(command, { list, checked, job })
  printSummary(summary, { total: checked.photos, json })
  if (isStopped) return STOPPED
  return isComplete(summary) ? DONE : INCOMPLETE
}

/** Prints the problems of a list. */
function exitCodeOf({ problems, problemCount }: CheckedList): number {
  for (const problem of problems) console.error(problemText(problem))
  const more = problemCount - problems.length
  if (more > 0) console.error(`... and ${more} more`)
  return problemCount === 0 ? DONE : INCOMPLETE
}

interface Work {
  list: PhotoList
  checked: CheckedList
  job: string
}

async function run(
  command: EnrolCommand,
  { list, checked, job: path }: Work,
): Promise<{ summary: Summary; isStopped: boolean }> {
  const { client, origin } = await connect({ ...command, retries: 0 })
  await requireGalleries({ client, origin }, checked.galleries, command.createGalleries)
  const place = {
    path,
    list: list.path,
    service: origin,
    options: optionsOf(command),
    restart: command.restart,
  }
  const job = await openJob(place, face => hasFace(client, face))
  const progress = showProgress(checked.photos)
  const stop = onStop()
  try {
    const { minQuality, checkOthers } = command
    const isWhole = await enrolList({
      list,
      job,
      client,
      stop: stop.signal,
      minQuality,
      checkOthers,
      onProgress: progress.show,
    })
    progress.stop()
    await job.close()
    const reports =
      command.report === undefined ? [] : await report(job, { out: command.report, list, isWhole })
    const summary = { ...summaryOf(job, isWhole), badRows: checked.problemCount, reports }
    return { summary, isStopped: !isWhole }
  } catch (error) {
    progress.stop()
    await job.close()
    const reason = error instanceof Error ? error.message : String(error)
    throw new Error(`${reason}\nRun the same command again to go on. ${path} keeps what is finished.`, {
      cause: error,
    })
  } finally {
    stop.remove()
  }
}

async function report(job: Job, settings: ReportSettings): Promise<string[]> {
  const { writeReport } = await import('./report/report.ts')
  return writeReport(job, settings)
}

/** Options of every photo, by their names on the command line. */
const optionsOf = ({ defaults, pattern }: EnrolCommand): Record<string, string> =>
  Object.fromEntries(
    Object.entries({ ...defaults, pattern }).flatMap(([name, value]) =>
      value === undefined ? [] : [[name, String(value)]],
    ),
  )

/**
 * Creates missing galleries, or throws an Error that names them. Throws an Error if no service answers. A token that may not
 * list galleries checks nothing.
 */
async function requireGalleries(
  { client, origin }: Connection,
  named: ReadonlySet<string>,
  mayCreate: boolean,
): Promise<void> {
  const missing = new Set(named)
  try {
    for await (const gallery of client.galleries.list()) missing.delete(gallery)
  } catch (error) {
    if (error instanceof MienError && error.code === 'FORBIDDEN') return
    if (error instanceof MienNetworkError)
      throw new Error(`No service answers at ${origin}.`, { cause: error })
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
async function hasFace(client: MienClient, { face, hash }: { face: number; hash: string }): Promise<boolean> {
  try {
    return (await client.faces.get(face)).photo_hash === hash
  } catch (error) {
    if (error instanceof MienError && error.code === 'NOT_FOUND') return false
    throw error
  }
}
