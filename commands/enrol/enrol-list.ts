/** Enrols the photos of a list: reads rows one by one, and keeps a fixed number of requests in progress. */

import { inParallel } from '../../clients/typescript/src/enrolment.ts'
import { type EnrolSettings, enrolPhoto } from './enrol-photo.ts'
import type { Job, JobLine } from './job.ts'
import { OUTCOMES } from './outcome.ts'
import { checkedEntries, type Photo, type PhotoList, readPhoto } from './photo-list.ts'

interface Run extends EnrolSettings {
  list: PhotoList
  job: Job
  /** Stops the run after the requests in progress. */
  stop: AbortSignal
  onProgress(progress: Progress): void
}

interface Progress {
  /** Finished photos, earlier runs included. */
  finished: number
  /** Photos of this run that are not enrolled. */
  notEnrolled: number
  /** Photos of this run with several people. One of them is enrolled. */
  several: number
}

/** Maximum of requests in progress. Requests that the service refuses wait, so fewer are in progress then. */
export const REQUESTS = 16

/**
 * Sends every photo that no run has finished. True when the whole list was read, false after a stop. Rejects with the error
 * that concerns all photos. Either way no request is in progress and every answer is in the job file.
 */
export async function enrolList(run: Run): Promise<boolean> {
  const { list, job, stop, onProgress } = run
  const progress: Progress = { finished: 0, notEnrolled: 0, several: 0 }
  const enrolEntry = async ({ row }: Entry) => {
    if (!row) return
    const photo = await readPhoto(row, list.folder)
    if (!job.isFinished({ key: photo.key, name: photo.row.name })) {
      const line = await lineOf(run, photo)
      await job.finish(line)
      if (!OUTCOMES[line.outcome].isDone) progress.notEnrolled++
      if (line.seen !== undefined) progress.several++
    }
    progress.finished++
    onProgress(progress)
  }
  await inParallel(checkedEntries(list), REQUESTS, enrolEntry, stop)
  return !stop.aborted
}

type Entry = Awaited<ReturnType<ReturnType<typeof checkedEntries>['next']>>['value']

/** The outcome of a photo, as the job file records it. */
async function lineOf(run: Run, { row, hash, key, file }: Photo): Promise<JobLine> {
  const outcome =
    typeof file === 'string'
      ? ({ outcome: 'unreadable', reason: file } as const)
      : await enrolPhoto(run, run.job.claims, { row, key, bytes: file })
  const place = row.line === undefined ? {} : { line: row.line }
  return { name: row.name, ...place, key, hash, meta: row.meta, ...outcome }
}
