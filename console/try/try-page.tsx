/** The page "Who is this?": the faces of a photo, and who they are. */
import { useRef, useState } from 'preact/hooks'
import {
  type DetectAnswer,
  type DetectParameters,
  type MienClient,
  MienError,
} from '../../clients/typescript/src/index.ts'
import { BoxedPhoto } from '../components/face-boxes.tsx'
import { SelectField } from '../components/fields.tsx'
import { PageHead } from '../components/page.tsx'
import { PhotoInput } from '../components/photo-input.tsx'
import { Loaded } from '../components/state.tsx'
import { galleryOptions, useGalleries } from '../connection/lists.ts'
import { useClient } from '../connection/service.ts'
import { useTask } from '../connection/task.ts'
import { useShownPhoto } from '../photos/photo.ts'
import { TEXTS } from '../texts.ts'
import { personOfMatch, whoOfMatch } from '../who.ts'
import { identifyAll, identitiesOf, SEARCH } from './candidates.ts'
import { Code } from './code.tsx'
import { FaceCard } from './face-card.tsx'
import { FirstVisit } from './first-visit.tsx'

export function TryPage() {
  const client = useClient()
  const [file, setFile] = useState<File>()
  const [gallery, setGallery] = useState('default')
  const [selected, setSelected] = useState<number>()
  const [denied, setDenied] = useState<readonly string[]>([])
  const [changes, setChanges] = useState(0)
  const results = useRef<HTMLDivElement>(null)
  const photo = useShownPhoto(file)
  const detection = useTask(file && (signal => detectWithDetails(client, file, signal)), [file])
  const detected = detection.value
  const { value: galleries = [] } = useGalleries()
  const known = galleries.some(({ name }) => name === gallery) ? galleries : [...galleries, { name: gallery }]
  const canIdentify = file && detected && detected.faces.length > 0
  const identification = useTask(
    canIdentify ? signal => identifyAll(client, file, { gallery, signal }) : undefined,
    [detected, gallery],
    [changes],
  )
  const identified = identification.value
  const identities = (detected && identified ? identitiesOf(identified, detected.faces) : []).map((one, i) =>
    one?.best && denied.includes(`${i} ${one.best.key}`)
      ? { ...one, best: undefined, denied: personOfMatch(one.best) }
      : one,
  )
  const who = identities.map(one => one && (one.best ? whoOfMatch(one.best) : null))
  const choose = (chosen: File) => {
    setFile(chosen)
    setSelected(undefined)
    setDenied([])
  }
  const select = (index: number) => {
    setSelected(index)
    document.getElementById(`face-${index}`)?.scrollIntoView({ block: 'nearest' })
  }

  return (
    <>
      <PageHead title={TEXTS.try.title} intro={TEXTS.try.intro} />
      <FirstVisit
        onPhoto={(sample, searched) => {
          choose(sample)
          setGallery(searched)
          results.current?.scrollIntoView({ block: 'start' })
        }}
      />
      <div class={photo ? 'columns' : ''} ref={results}>
        <div class="photo-column">
          <PhotoInput label={TEXTS.photo} onPhoto={choose}>
            {photo && (
              <BoxedPhoto
                photo={photo}
                boxes={detected?.faces ?? []}
                who={who}
                selected={selected}
                onSelect={select}
              />
            )}
          </PhotoInput>
        </div>
        {photo && (
          <div class="stack">
            <Loaded task={detection} loading={TEXTS.try.searching} />
            {detected?.faces.length === 0 && <p class="empty">{detected.reason ?? TEXTS.try.noFaces}</p>}
            {canIdentify && (
              <>
                <div class="row">
                  <h2 class="grow">{TEXTS.try.faces(detected.faces.length)}</h2>
                  <SelectField
                    label={TEXTS.try.gallery}
                    options={galleryOptions(known)}
                    value={gallery}
                    onChange={event => setGallery(event.currentTarget.value)}
                  />
                </div>
                <Loaded task={identification} loading={TEXTS.try.identifying} />
              </>
            )}
            <ul class="stack">
              {detected?.faces.map((face, i) => (
                <FaceCard
                  key={`${face.x1} ${face.y1}`}
                  number={i + 1}
                  face={face}
                  photo={photo}
                  identity={identities[i]}
                  gallery={gallery}
                  onChanged={() => setChanges(changes + 1)}
                  onNotThem={({ key }) => setDenied([...denied, `${i} ${key}`])}
                  isSelected={selected === i}
                  onSelect={() => setSelected(i)}
                />
              ))}
            </ul>
            {identified && <p class="hint">{TEXTS.who.legend}</p>}
          </div>
        )}
      </div>
      {file && detected && (
        <div class="stack">
          <Code
            call={{
              operation: 'detect',
              photos: [file.name],
              parameters: detectParameters(detected.hasAttributes) as Record<string, boolean>,
            }}
          />
          <Code
            call={{
              operation: 'identify',
              photos: [file.name],
              parameters: { ...SEARCH, gallery, ...(identified?.persons && { target: 'persons' }) },
            }}
          />
        </div>
      )}
    </>
  )
}

const ASKED_ATTRIBUTES = { age: true, gender: true, emotions: true }

/** Parameters of a detection. `hasAttributes`: the service recognises age, gender and emotions. */
const detectParameters = (hasAttributes: boolean): DetectParameters => ({
  quality: true,
  liveness: true,
  ...(hasAttributes ? ASKED_ATTRIBUTES : {}),
})

interface Detection extends DetectAnswer {
  hasAttributes: boolean
}

/** Detects with age, gender and emotions, and without them where the service refuses them. */
async function detectWithDetails(client: MienClient, photo: File, signal: AbortSignal): Promise<Detection> {
  const detect = async (hasAttributes: boolean): Promise<Detection> => ({
    ...(await client.detect(photo, detectParameters(hasAttributes), { signal })),
    hasAttributes,
  })
  if (withoutAttributes.has(client)) return detect(false)
  try {
    return await detect(true)
  } catch (error) {
    if (!isRefusedAttribute(error)) throw error
    withoutAttributes.add(client)
    return detect(false)
  }
}

/** Clients of services that refused the attributes: further photos are sent once. */
const withoutAttributes = new WeakSet<MienClient>()

const isRefusedAttribute = (error: unknown) =>
  error instanceof MienError && error.code === 'BAD_PARAM' && (error.param ?? '') in ASKED_ATTRIBUTES
