/** Three steps with sample photos for a visitor of a service without faces. */
import { useEffect, useState } from 'preact/hooks'
import { ConfirmDialog } from '../components/confirm-dialog.tsx'
import { Problem } from '../components/problem.tsx'
import { useService } from '../connection/context.ts'
import { useTask } from '../connection/task.ts'
import { TEXTS } from '../texts.ts'
import {
  ENROLLED,
  enrolSamples,
  SAMPLE_GALLERY,
  SampleError,
  samplePhoto,
  sampleUrl,
  TRIED,
  visitOf,
} from './samples.ts'

interface Properties {
  /** Shows a photo, and identifies its faces in a gallery. */
  onPhoto: (photo: File, gallery: string) => void
}

/** Nothing where the service has faces already, or where the token may not see how many. */
export function FirstVisit({ onPhoto }: Properties) {
  const { client } = useService()
  const galleries = useTask(signal => client.galleries.statistics({ signal }).toArray(), [])
  const visit = galleries.state === 'done' ? visitOf(galleries.value) : undefined
  return visit?.isFirst ? <Steps hasSamples={visit.hasSamples} onPhoto={onPhoto} /> : null
}

type Step = 'try' | 'enrol' | 'identify'

function Steps({ hasSamples, onPhoto }: Properties & { hasSamples: boolean }) {
  const { client, url } = useService()
  const [done, setDone] = useState<ReadonlySet<Step>>(new Set(hasSamples ? ['enrol'] : []))
  const [running, setRunning] = useState<Step>()
  const [isAsked, setIsAsked] = useState(false)
  const [problem, setProblem] = useState<unknown>()
  const [aborter] = useState(() => new AbortController())
  useEffect(() => () => aborter.abort(), [aborter])

  const run = async (step: Step, work: () => Promise<unknown>) => {
    setRunning(step)
    setProblem(undefined)
    try {
      await work()
      setDone(steps => new Set([...steps, step]))
    } catch (error) {
      if (!aborter.signal.aborted) setProblem(error instanceof SampleError ? error.message : error)
    }
    setRunning(undefined)
  }
  const remove = async () => {
    await client.galleries.delete(SAMPLE_GALLERY)
    setIsAsked(false)
    setDone(new Set())
  }
  const show = async (gallery: string) => onPhoto(await samplePhoto(url, TRIED), gallery)
  const steps: {
    step: Step
    photos: readonly string[]
    isPossible: boolean
    work: () => Promise<unknown>
  }[] = [
    { step: 'try', photos: [TRIED], isPossible: true, work: () => show('default') },
    {
      step: 'enrol',
      photos: ENROLLED,
      isPossible: true,
      work: () => enrolSamples(client, url, aborter.signal),
    },
    { step: 'identify', photos: [TRIED], isPossible: done.has('enrol'), work: () => show(SAMPLE_GALLERY) },
  ]
  const next = steps.find(({ step, isPossible }) => isPossible && !done.has(step))
  return (
    <section class="first-visit" aria-label={TEXTS.firstVisit.title}>
      <h2>{TEXTS.firstVisit.title}</h2>
      <ol>
        {steps.map(({ step, photos, isPossible, work }) => (
          <li key={step} class={`card step${done.has(step) ? ' done' : ''}`}>
            <div class="step-photos">
              {photos.map(name => (
                <img key={name} src={sampleUrl(url, name)} alt={TEXTS.firstVisit.photo} />
              ))}
            </div>
            <h3>{TEXTS.firstVisit.steps[step].title}</h3>
            <p class="hint">{TEXTS.firstVisit.steps[step].text}</p>
            <p class="step-action">
              <button
                type="button"
                class={step === next?.step ? 'primary' : ''}
                disabled={!isPossible || running !== undefined}
                onClick={() => void run(step, work)}
              >
                {running === step ? TEXTS.firstVisit.working : TEXTS.firstVisit.steps[step].action}
              </button>
              {done.has(step) && <span class="step-done">{TEXTS.firstVisit.done}</span>}
            </p>
          </li>
        ))}
      </ol>
      {problem !== undefined && <Problem error={problem} />}
      {done.has('enrol') && (
        <p class="hint">
          {TEXTS.firstVisit.kept(SAMPLE_GALLERY)}{' '}
          <button
            type="button"
            class="quiet inline"
            disabled={running !== undefined}
            onClick={() => setIsAsked(true)}
          >
            {TEXTS.firstVisit.remove}
          </button>
        </p>
      )}
      {isAsked && (
        <ConfirmDialog
          title={TEXTS.deleteGallery.title(SAMPLE_GALLERY)}
          text={TEXTS.deleteGallery.text}
          confirm={TEXTS.deleteGallery.submit}
          isDanger
          run={remove}
          onClose={() => setIsAsked(false)}
        />
      )}
    </section>
  )
}
