/** A job: the finished photos of a list, over all its runs. */
import { dirname, relative, sep } from 'node:path'
import {
  type JobFile,
  JobFileError,
  type JobHeader,
  type JobLine,
  jobLines,
  openJobFile,
  readHeader,
} from './job-file.ts'
import { type Counts, noCounts, OUTCOMES, type OutcomeName, sumOf } from './outcome.ts'
import { type PhotoNames, photoId } from './photo.ts'

export interface Job {
  path: string
  /** Photos that earlier runs have finished. */
  readonly finishedBefore: number
  /** Whether a run has finished this file with these fields. Marks the photo as part of the list. */
  isFinished(photo: PhotoNames): boolean
  /** Reserves the enrolment of a photo. False if another file has it. */
  claim(photo: PhotoNames): boolean
  /** Resolves when the line is in the job file. */
  finish(line: JobLine): Promise<void>
  /**
   * Photos by outcome, and those that resemble a face with another meta. `visitedOnly`: only photos of the list as it is now.
   * After a replaced photo, the job has a line of the old one, too.
   */
  counts(visitedOnly: boolean): { counts: Counts; similar: number }
  /** Whether a line of the job file is the last word on its photo. */
  isCurrent(line: JobLine, visitedOnly: boolean): boolean
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

/** Enrolled faces that are checked: one that was deleted is no proof of another service. */
const CHECKED_FACES = 5

/**
 * Opens the job of a list. `isKnown` tells whether the service has a face of an earlier run. Throws JobFileError for a job of
 * another list or service.
 */
export async function openJob(
  place: JobPlace,
  isKnown: (face: EnrolledFace) => Promise<boolean>,
): Promise<Job> {
  const { path, service, options } = place
  const list = relative(dirname(path), place.list).replaceAll(sep, '/')
  const found = place.restart ? undefined : await readHeader(path)
  if (found && found.header.list !== list)
    throw new JobFileError(`${path} belongs to the list ${found.header.list}. ${ADVICE}`)
  if (found) requireOptions(path, found.header.options, options)
  const lines: { at: number; faces: EnrolledFace[] } = { at: found?.end ?? 0, faces: [] }
  const photos = finishedPhotos()
  for await (const line of found ? jobLines(path) : []) {
    photos.add(line, false)
    lines.at = line.end
    const [face] = line.faces ?? []
    if (face !== undefined) lines.faces = [...lines.faces, { face, hash: line.hash }].slice(-CHECKED_FACES)
  }
  if (found) {
    // The same faces are the same service, at whatever address. A job without faces needs the same address.
    const known = await Promise.all(lines.faces.map(isKnown))
    const isSame = known.length === 0 ? found.header.service === service : known.includes(true)
    if (!isSame) throw new JobFileError(otherService(path, found.header.service, service))
  }
  const file = await openJobFile(
    path,
    { mien: 'enrol', version: 1, list, service, options },
    found && lines.at,
  )
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

const ADVICE = 'Name another job file with --job, or begin anew with --restart.'

const otherService = (path: string, before: string, now: string): string =>
  before === now
    ? `The photos that ${path} records are not enrolled for this token at ${now}. They were deleted, or are of another owner. ${ADVICE}`
    : `${path} belongs to the service ${before}: the photos that it records are not enrolled at ${now}. ${ADVICE}`

function jobOf(path: string, photos: ReturnType<typeof finishedPhotos>, file: JobFile): Job {
  return {
    path,
    finishedBefore: sumOf(photos.counts(false).counts, ({ isFinal }) => isFinal),
    counts: photos.counts,
    isCurrent: photos.isCurrent,
    isFinished: photos.visit,
    claim: photos.claim,
    async finish(line) {
      await file.append(line)
      photos.add(line, true)
    },
    close: file.close,
  }
}

interface PhotoState {
  outcome: OutcomeName
  isSimilar: boolean
  /** The photo is part of the list as it is now. */
  isVisited: boolean
}

/** The finished photos in memory: about 250 bytes each. */
function finishedPhotos() {
  /** By the ids of photos. */
  const states = new Map<string, PhotoState>()
  /** Keys of photos that are enrolled or under way. */
  const claimed = new Set<string>()

  return {
    add(line: JobLine, isVisited: boolean): void {
      const { key, name, outcome, similar } = line
      states.set(photoId(key, name), { outcome, isSimilar: similar !== undefined, isVisited })
      if (outcome === 'enrolled') claimed.add(key)
    },
    visit({ id }: PhotoNames): boolean {
      const state = states.get(id)
      if (state === undefined) return false
      state.isVisited = true
      return OUTCOMES[state.outcome].isFinal
    },
    claim({ key }: PhotoNames): boolean {
      const isFree = !claimed.has(key)
      claimed.add(key)
      return isFree
    },
    counts(visitedOnly: boolean): { counts: Counts; similar: number } {
      const counts = noCounts()
      let similar = 0
      for (const { outcome, isSimilar, isVisited } of states.values()) {
        if (visitedOnly && !isVisited) continue
        counts[outcome]++
        if (isSimilar) similar++
      }
      return { counts, similar }
    },
    isCurrent({ key, name, outcome }: JobLine, visitedOnly: boolean): boolean {
      const state = states.get(photoId(key, name))
      return state !== undefined && (!visitedOnly || state.isVisited) && state.outcome === outcome
    },
  }
}
