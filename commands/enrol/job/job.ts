/** A job: the finished photos of a list, over all its runs. */
import { dirname, relative, sep } from 'node:path'
import { type FinishedPhotos, finishedPhotos } from './finished-photos.ts'
import {
  type JobFile,
  JobFileError,
  type JobHeader,
  type JobLine,
  jobLines,
  openJobFile,
  readHeader,
} from './job-file.ts'
import type { PhotoNames } from './photo.ts'

export interface Job extends Pick<FinishedPhotos, 'counts' | 'similar' | 'isCurrent'> {
  path: string
  /** Photos that earlier runs have finished. */
  readonly finishedBefore: number
  /** Whether a run has finished this file with these fields. Marks the photo as part of the list. */
  isFinished(photo: PhotoNames): boolean
  /** Reserves the enrolment of a photo. False if another file has it. */
  claim(photo: PhotoNames): boolean
  /** Resolves when the line is in the job file. */
  finish(line: JobLine): Promise<void>
  /** Makes the job file durable. */
  close(): Promise<void>
}

export interface JobPlace {
  path: string
  /** Absolute path of the list. */
  list: string
  /** Origin of the service. */
  service: string
  /** Options that decide how every photo is enrolled, by their names on the command line. */
  options: Readonly<Record<string, string>>
  /** Begin anew. */
  restart: boolean
}

/** An enrolled face of an earlier run, which proves that the service is the same. */
export interface EnrolledFace {
  face: number
  hash: string
}

type IsKnown = (face: EnrolledFace) => Promise<boolean>

/** Enrolled faces that are checked: one that was deleted is no proof of another service. */
const CHECKED_FACES = 5

/**
 * Opens the job of a list. `isKnown` tells whether the service has a face of an earlier run. Throws JobFileError for a job of
 * another list or service.
 */
export async function openJob(place: JobPlace, isKnown: IsKnown): Promise<Job> {
  const { path, service, options } = place
  const list = relative(dirname(path), place.list).replaceAll(sep, '/')
  const found = place.restart ? undefined : await readHeader(path)
  if (found && found.header.list !== list)
    throw new JobFileError(`${path} belongs to the list ${found.header.list}. ${ADVICE}`)
  if (found) requireOptions(path, found.header.options, options)
  const photos = finishedPhotos()
  let end = found?.end
  const enrolled: EnrolledFace[] = []
  if (found) {
    for await (const line of jobLines(path)) {
      photos.add(line)
      end = line.end
      const [face] = line.faces ?? []
      if (face !== undefined) enrolled.push({ face, hash: line.hash })
      if (enrolled.length > CHECKED_FACES) enrolled.shift()
    }
    if (!(await isSameService(found.header.service === service, enrolled, isKnown)))
      throw new JobFileError(otherService(path, found.header.service, service))
  }
  const file = await openJobFile(path, { mien: 'enrol', version: 1, list, service, options }, end)
  return jobOf(path, photos, file)
}

/** With other options every photo would be another enrolment, and be stored again. */
function requireOptions(path: string, before: JobHeader['options'], now: JobHeader['options']): void {
  const names = [...new Set([...Object.keys(before), ...Object.keys(now)])]
  const other = names.find(name => before[name] !== now[name])
  if (other === undefined) return
  const was =
    before[other] === undefined ? `without --${other}` : `with --${other} ${JSON.stringify(before[other])}`
  throw new JobFileError(
    `${path} was made ${was}. Use the same options, or name another job file with --job: then every photo is enrolled again.`,
  )
}

/** The same faces are the same service, at whatever address. A job without faces needs the same address. */
async function isSameService(
  isSameAddress: boolean,
  enrolled: readonly EnrolledFace[],
  isKnown: IsKnown,
): Promise<boolean> {
  for (const face of enrolled) if (await isKnown(face)) return true
  return enrolled.length === 0 && isSameAddress
}

const ADVICE = 'Name another job file with --job, or begin anew with --restart.'

const otherService = (path: string, before: string, now: string): string =>
  before === now
    ? `The photos that ${path} records are not enrolled for this token at ${now}. They were deleted, or are of another owner. ${ADVICE}`
    : `${path} belongs to the service ${before}: the photos that it records are not enrolled at ${now}. ${ADVICE}`

function jobOf(path: string, photos: FinishedPhotos, file: JobFile): Job {
  return {
    path,
    finishedBefore: photos.finished(),
    counts: photos.counts,
    similar: photos.similar,
    isCurrent: photos.isCurrent,
    isFinished: photos.visit,
    claim: photos.claim,
    async finish(line) {
      await file.append(line)
      photos.add(line, true)
    },
    close: () => file.close(),
  }
}
