/** Enrols the photos of a list: reads rows one by one, and keeps a fixed number of requests in progress. */
import type { MienClient } from '../../clients/typescript/src/index.ts'
import { type EnrolSettings, enrolPhoto } from './enrol-photo.ts'
import type { Job, JobLine } from './job.ts'
import { OUTCOMES } from './outcome.ts'
import { type Photo, type PhotoList, readPhoto, type UnreadablePhoto } from './photo-list.ts'
import { patientSender } from './send.ts'

/** State of a run, for progress. */
interface RunState {
  /** Photos that need no more work, those of earlier runs included. */
  finished: number
  /** Photos of this run that are not enrolled. */
  notEnrolled: number
}

export interface Run extends EnrolSettings {
  list: PhotoList
  job: Job
  client: MienClient
  /** Stops the run after the requests in progress. */
  stop: AbortSignal
  onProgress?: (state: RunState) => void
}

/** Requests in progress at most. Those that the service refuses wait, so fewer are in progress then. */
export const REQUESTS = 16

/**
 * Sends every photo that no run has finished. True when the whole list was read, false after a stop. Rejects with the error
 * that concerns all photos. Either way no request is in progress and every answer is in the job file.
 */
export async function enrolList({ onProgress = () => {}, ...run }: Run): Promise<boolean> {
  const { list, job, client, stop } = run
  const failure = new AbortController()
  const signal = AbortSignal.any([stop, failure.signal])
  const sending = { ...run, client, send: patientSender(signal) }
  const state: RunState = { finished: 0, notEnrolled: 0 }
  const entries = list.entries()

  /** Enrols one photo after the other, until the list ends. */
  const enrolNext = async (): Promise<void> => {
    while (!signal.aborted) {
      const { value, done } = await entries.next()
      if (done) return
      if (!value.row) continue
      const photo = await readPhoto(value.row, list.folder)
      if (!job.isFinished({ key: photo.key, name: photo.row.name })) {
        const line = await lineOf(job, sending, photo)
        await job.finish(line)
        if (!OUTCOMES[line.outcome].isDone) state.notEnrolled++
      }
      state.finished++
      onProgress({ ...state })
    }
  }
  const all = Array.from({ length: REQUESTS }, () =>
    enrolNext().catch(error => {
      if (!stop.aborted || error !== stop.reason) failure.abort(error)
    }),
  )
  await Promise.all(all)
  // Closes the files of the list.
  await entries.return(undefined)
  if (failure.signal.aborted) throw failure.signal.reason
  return !stop.aborted
}

type Sending = Parameters<typeof enrolPhoto>[0]

/** The outcome of a photo, as the job file records it. */
async function lineOf(job: Job, sending: Sending, photo: Photo | UnreadablePhoto): Promise<JobLine> {
  const { row, key, hash } = photo
  const outcome = async () => {
    if ('unreadable' in photo) return { outcome: 'unreadable', reason: photo.unreadable } as const
    if (!job.claim(key)) return { outcome: 'duplicate' } as const
    return enrolPhoto(sending, photo)
  }
  const place = row.line === undefined ? {} : { line: row.line }
  return { name: row.name, ...place, key, hash, meta: row.meta, ...(await outcome()) }
}
