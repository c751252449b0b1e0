/** Enrols the photos of a list: reads rows one by one, and keeps as many requests in progress as the service handles. */
import type { MienClient } from '../../../clients/typescript/src/index.ts'
import type { Job } from '../job/job.ts'
import type { JobLine } from '../job/job-file.ts'
import { OUTCOMES } from '../job/outcome.ts'
import { type Photo, readPhoto, type UnreadablePhoto } from '../job/photo.ts'
import type { PhotoList } from '../list/photo-list.ts'
import { type CapacityWindow, capacityWindow } from './capacity-window.ts'
import { type EnrolSettings, enrolPhoto, type Sending } from './enrol-photo.ts'
import { throttle } from './throttle.ts'

/** State of a run, for progress. */
export interface RunState {
  /** Photos that need no more work, those of earlier runs included. */
  finished: number
  /** Photos of this run that are not enrolled. */
  notEnrolled: number
  /** Requests that may be in progress. */
  limit: number
}

export interface Run extends EnrolSettings {
  list: PhotoList
  job: Job
  client: MienClient
  /** Stops the run after the requests under way. */
  stop: AbortSignal
  onProgress?: (state: RunState) => void
}

/**
 * Sends every photo that no run has finished. True when the whole list was read, false after a stop. Rejects with the error
 * that concerns all photos. Either way no request is under way and every answer is in the job file.
 */
export async function enrolList(run: Run): Promise<boolean> {
  const window = capacityWindow()
  const failure = new AbortController()
  const signal = AbortSignal.any([run.stop, failure.signal])
  const sending: Sending = { ...run, throttle: throttle(window), signal }
  const state = progressOf(run, window)
  const tasks = new Set<Promise<void>>()

  const begin = (photo: Photo | UnreadablePhoto) => {
    const task = finish(run.job, sending, photo)
      .then(state.finished, error => {
        if (!run.stop.aborted || error !== run.stop.reason) failure.abort(error)
      })
      .finally(() => tasks.delete(task))
    tasks.add(task)
  }

  let isWhole = true
  try {
    for await (const { row } of run.list.entries()) {
      if (signal.aborted) {
        isWhole = false
        break
      }
      if (!row) continue
      const photo = await readPhoto(row, run.list.folder)
      if (run.job.isFinished(photo)) state.skipped()
      else begin(photo)
      // One photo waits beside those in progress.
      while (tasks.size > window.limit()) await Promise.race(tasks)
    }
  } finally {
    await Promise.all(tasks)
  }
  if (failure.signal.aborted) throw failure.signal.reason
  return isWhole && !run.stop.aborted
}

/** Finds the outcome of a photo, writes it to the job file and returns it. */
async function finish(job: Job, sending: Sending, photo: Photo | UnreadablePhoto): Promise<JobLine> {
  const { row, key, hash } = photo
  const place = row.line === undefined ? {} : { line: row.line }
  const line = {
    name: row.name,
    ...place,
    key,
    hash,
    meta: row.meta,
    ...(await outcomeOf(job, sending, photo)),
  }
  await job.finish(line)
  return line
}

async function outcomeOf(job: Job, sending: Sending, photo: Photo | UnreadablePhoto) {
  if ('unreadable' in photo) return { outcome: 'unreadable', reason: photo.unreadable } as const
  if (!job.claim(photo)) return { outcome: 'duplicate' } as const
  return enrolPhoto(sending, photo)
}

function progressOf({ onProgress = () => {} }: Run, window: CapacityWindow) {
  const state = { finished: 0, notEnrolled: 0 }
  const report = () => onProgress({ ...state, limit: window.limit() })
  return {
    skipped() {
      state.finished++
      report()
    },
    finished({ outcome }: JobLine) {
      state.finished++
      if (!OUTCOMES[outcome].isDone) state.notEnrolled++
      report()
    },
  }
}
