/** Three steps with sample photos for a visitor of a service without faces. The second enrols their faces in a gallery. */
import { useEffect, useState } from 'preact/hooks'
import { type GalleryStatistics, type MienClient, MienError } from '../../clients/typescript/src/index.ts'
import { ConfirmButton } from '../components/dialog.tsx'
import { Problem } from '../components/state.tsx'
import { useClient, useService } from '../connection/service.ts'
import { useTask } from '../connection/task.ts'
import { enrolPhotos } from '../galleries/enrolment.ts'
import { TEXTS } from '../texts.ts'

/** The photo to try. A person on it is also on the first other photo. */
const SAMPLE_PHOTO = 'sample1.jpg'

/** The photos to enrol. */
const ENROLLED = ['sample3.jpg', 'sample4.jpg']

const SAMPLE_GALLERY = 'samples'

/** Address of a sample photo of the service at this URL. */
const sampleUrl = (url: string, name: string) => `${url}/console/${name}`

/** Rejects when the service does not answer. */
async function samplePhoto(url: string, name: string): Promise<File> {
  const response = await fetch(sampleUrl(url, name))
  if (!response.ok) throw new Error(`No sample photo ${name}`)
  return new File([await response.blob()], name, { type: 'image/jpeg' })
}

/** Whether the service has no faces except the samples, and whether it has the samples. */
function visitOf(galleries: readonly GalleryStatistics[]): { isFirst: boolean; hasSamples: boolean } {
  const facesIn = (name: string) => galleries.find(gallery => gallery.name === name)?.faces ?? 0
  const samples = facesIn(SAMPLE_GALLERY)
  return { isFirst: facesIn('default') === samples, hasSamples: samples > 0 }
}

/** Enrols the faces of the sample photos. Throws the reason of the first photo that fails, and returns the number of faces. */
async function enrolSamples(client: MienClient, url: string, signal: AbortSignal) {
  await client.galleries.create(SAMPLE_GALLERY, {}, { signal }).catch(cause => {
    if (!(cause instanceof MienError) || cause.code !== 'GALLERY_EXISTS') throw cause
  })
  const files = await Promise.all(ENROLLED.map(name => samplePhoto(url, name)))
  const photos = files.map(file => ({ file, path: file.name }))
  const settings = { meta: TEXTS.firstVisit.meta, usesFolderNames: false, selector: 'all' } as const
  let faces = 0
  let failure: string | undefined
  await enrolPhotos(
    client,
    photos,
    { ...settings, gallery: SAMPLE_GALLERY },
    {
      signal,
      onProgress: progress => {
        faces = progress.faces
        failure = progress.failures[0]?.reason
      },
    },
  )
  if (failure !== undefined) throw new SampleError(failure)
  return faces
}

/** A sample photo that was not enrolled. The message is for the visitor. */
class SampleError extends Error {
  override readonly name = 'SampleError'
}

interface Properties {
  /** Shows a photo, and identifies its faces in a gallery. */
  onPhoto: (photo: File, gallery: string) => void
}

/** Nothing where the service has faces already, or where the token may not see how many. */
export function FirstVisit({ onPhoto }: Properties) {
  const client = useClient()
  const galleries = useTask(signal => client.galleries.statistics({ signal }).toArray(), [])
  const visit = galleries.value && visitOf(galleries.value)
  return visit?.isFirst ? <Steps hasSamples={visit.hasSamples} onPhoto={onPhoto} /> : null
}

const STEPS = ['try', 'enrol', 'identify'] as const
type Step = (typeof STEPS)[number]

function Steps({ hasSamples, onPhoto }: Properties & { hasSamples: boolean }) {
  const { client, url } = useService()
  const [done, setDone] = useState<ReadonlySet<Step>>(new Set(hasSamples ? ['enrol'] : []))
  const [running, setRunning] = useState<Step>()
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
    setDone(new Set())
  }
  const show = async (gallery: string) => onPhoto(await samplePhoto(url, SAMPLE_PHOTO), gallery)
  const work: Record<Step, () => Promise<unknown>> = {
    try: () => show('default'),
    enrol: () => enrolSamples(client, url, aborter.signal),
    identify: () => show(SAMPLE_GALLERY),
  }
  const isPossible = (step: Step) => step !== 'identify' || done.has('enrol')
  const next = STEPS.find(step => isPossible(step) && !done.has(step))
  return (
    <section class="stack" aria-label={TEXTS.firstVisit.title}>
      <h2>{TEXTS.firstVisit.title}</h2>
      <ol class="cards few">
        {STEPS.map((step, i) => (
          <li key={step} class="card stack tight step">
            <div class="line">
              {(step === 'enrol' ? ENROLLED : [SAMPLE_PHOTO]).map(name => (
                <img key={name} src={sampleUrl(url, name)} alt={TEXTS.firstVisit.photo} />
              ))}
            </div>
            <h3>{`${i + 1}. ${TEXTS.firstVisit.steps[step].title}`}</h3>
            <p class="hint">{TEXTS.firstVisit.steps[step].text}</p>
            <p class="row">
              <button
                type="button"
                class={step === next ? 'primary' : ''}
                disabled={!isPossible(step) || running !== undefined}
                onClick={() => void run(step, work[step])}
              >
                {running === step ? TEXTS.firstVisit.working : TEXTS.firstVisit.steps[step].action}
              </button>
              {done.has(step) && <span class="small dot strict">{TEXTS.firstVisit.done}</span>}
            </p>
          </li>
        ))}
      </ol>
      {problem !== undefined && <Problem error={problem} />}
      {done.has('enrol') && (
        <div class="row hint">
          <p>{TEXTS.firstVisit.kept(SAMPLE_GALLERY)}</p>
          <ConfirmButton
            label={TEXTS.firstVisit.remove}
            class="quiet small"
            disabled={running !== undefined}
            {...TEXTS.deleteGallery.question(SAMPLE_GALLERY)}
            run={remove}
          />
        </div>
      )}
    </section>
  )
}
