/** The enrolment of this tab. It goes on while the visitor looks at other pages. */
import type { MienClient } from '../../clients/typescript/src/index.ts'
import { store } from '../connection/service.ts'
import type { FoundFile } from '../photos/files.ts'
import { type EnrolmentProgress, enrolPhotos } from './enrolment.ts'
import { forgetEnrolment, rememberEnrolment } from './enrolment-memory.ts'
import type { EnrolmentSettings } from './enrolment-plan.ts'

interface RunningEnrolment {
  settings: EnrolmentSettings
  state: 'running' | 'stopped' | 'complete'
  isPaused: boolean
  progress?: EnrolmentProgress
  /** The visitor has seen the end on the page of the gallery. */
  isSeen?: boolean
  cancel: () => void
}

/** The last enrolment. */
export const enrolment = store<RunningEnrolment | undefined>(undefined)

export const changeEnrolment = (change: Partial<RunningEnrolment>): void =>
  enrolment.set({ ...enrolment.get()!, ...change })

/** Stops and forgets the enrolment before another visitor can sign in. */
export function leaveEnrolment(): void {
  enrolment.get()?.cancel()
  enrolment.set(undefined)
}

/** Enrols photos. The browser asks before it closes the page. */
export async function startEnrolment(
  client: MienClient,
  photos: readonly FoundFile[],
  settings: EnrolmentSettings,
): Promise<void> {
  const aborter = new AbortController()
  const { signal } = aborter
  const change = (changed: Partial<RunningEnrolment>) => {
    // The visitor may have left.
    if (enrolment.get()?.cancel === cancel) changeEnrolment(changed)
  }
  const cancel = () => {
    aborter.abort()
    change({ isPaused: false })
  }
  enrolment.set({ settings, state: 'running', isPaused: false, cancel })
  addEventListener('beforeunload', event => event.preventDefault(), { signal })
  let state: RunningEnrolment['state'] = 'stopped'
  try {
    await enrolPhotos(client, photos, settings, {
      onProgress: progress => change({ progress }),
      turn: released,
      signal,
      memory: rememberEnrolment(settings, photos.length),
    })
    if (!signal.aborted) {
      state = 'complete'
      forgetEnrolment()
    }
  } finally {
    aborter.abort()
    change({ state })
  }
}

/** Resolves when the visitor has not paused, or continues. */
const released = (): Promise<void> =>
  new Promise(resolve => {
    const check = () => {
      if (enrolment.get()?.isPaused) return
      end()
      resolve()
    }
    const end = enrolment.subscribe(check)
    check()
  })
