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
  cancel: () => void
}

/** The last enrolment. */
export const enrolment = store<RunningEnrolment | undefined>(undefined)

export const changeEnrolment = (change: Partial<RunningEnrolment>): void =>
  enrolment.set({ ...enrolment.get()!, ...change })

const askBeforeClosing = (event: Event): void => event.preventDefault()

/** Enrols photos. The browser asks before it closes the page. */
export async function startEnrolment(
  client: MienClient,
  photos: readonly FoundFile[],
  settings: EnrolmentSettings,
): Promise<void> {
  const aborter = new AbortController()
  const { signal } = aborter
  const cancel = () => {
    aborter.abort()
    changeEnrolment({ isPaused: false })
  }
  enrolment.set({ settings, state: 'running', isPaused: false, cancel })
  addEventListener('beforeunload', askBeforeClosing)
  await enrolPhotos(client, photos, settings, {
    onProgress: progress => changeEnrolment({ progress }),
    turn: released,
    signal,
    memory: rememberEnrolment(settings, photos.length),
  })
  removeEventListener('beforeunload', askBeforeClosing)
  if (!signal.aborted) forgetEnrolment()
  changeEnrolment({ state: signal.aborted ? 'stopped' : 'complete' })
}

/** Resolves when the visitor has not paused, or continues. */
const released = (): Promise<void> =>
  new Promise(resolve => {
    const check = () => {
      if (enrolment.get()!.isPaused) return
      end()
      resolve()
    }
    const end = enrolment.subscribe(check)
    check()
  })
