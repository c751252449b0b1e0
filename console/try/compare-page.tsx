/** The page Compare: every pair of faces of two photos, with lines between them. */
import { useEffect, useRef, useState } from 'preact/hooks'
import type { Box } from '../../clients/typescript/src/index.ts'
import { BoxedPhoto, Confidence, Crop, type CropProperties } from '../components/faces.tsx'
import { PageHead } from '../components/page.tsx'
import { PhotoInput } from '../components/photo-input.tsx'
import { Loaded } from '../components/state.tsx'
import { useService } from '../connection/service.ts'
import { useTask } from '../connection/task.ts'
import { type ShownPhoto, useShownPhoto } from '../photos/photo.ts'
import { TEXTS } from '../texts.ts'
import { pairVerdict, tierOf } from '../thresholds.ts'
import { Code } from './code.tsx'
import { bestPairs, facesOf, lineOf, type Pair, type Rectangle } from './pairs.ts'
import { OpenProbe } from './probe.tsx'

const PARAMETERS = { mf_selector: 'all', threshold: 'none' } as const

export function ComparePage() {
  const { client } = useService()
  const [files, setFiles] = useState<{ first?: File; second?: File }>({})
  const [selected, setSelected] = useState<Pair>()
  const photosElement = useRef<HTMLDivElement>(null)
  const { first, second } = files
  const photos = [useShownPhoto(first), useShownPhoto(second)] as const
  const shown = photos[0] && photos[1] && ([photos[0], photos[1]] as const)
  const comparison = useTask(
    first && second && (signal => client.verify(first, second, PARAMETERS, { signal })),
    [first, second],
  )
  const results = comparison.value?.results ?? []
  const pairs = bestPairs(results)
  const chosen = selected && pairs.some(({ key }) => key === selected.key) ? selected : pairs[0]
  const input = (name: 'first' | 'second', photo: ShownPhoto | undefined, faces: Box[]) => (
    <PhotoInput
      label={TEXTS.compare[name]}
      // A pasted picture is the first photo, each further one is compared with it.
      takesPasted={(name === 'first') === (first === undefined)}
      onPhoto={file => setFiles({ ...files, [name]: file })}
    >
      {photo && (
        <BoxedPhoto
          photo={photo}
          boxes={faces}
          selected={chosen?.[name]}
          onSelect={face => setSelected(pairs.find(pair => pair[name] === face))}
        />
      )}
    </PhotoInput>
  )
  return (
    <>
      <PageHead title={TEXTS.compare.title} intro={TEXTS.compare.intro} />
      <div class="cards wide few compared" ref={photosElement}>
        {input('first', photos[0], facesOf(results, 'bbox1'))}
        {input('second', photos[1], facesOf(results, 'bbox2'))}
        {shown && pairs.length > 0 && (
          <PairLines photosElement={photosElement} photos={shown} pairs={pairs} chosen={chosen} />
        )}
      </div>
      <Loaded task={comparison} loading={TEXTS.compare.comparing} />
      {shown && pairs.length > 0 && (
        <section class="stack">
          <h2>{TEXTS.compare.pairs(results.length)}</h2>
          {pairs.length < results.length && <p class="hint">{TEXTS.compare.more(pairs.length)}</p>}
          <ul class="cards wide">
            {pairs.map(pair => (
              <PairCard
                key={pair.key}
                pair={pair}
                photos={shown}
                isSelected={pair.key === chosen?.key}
                onSelect={() => setSelected(pair)}
              />
            ))}
          </ul>
          <p class="hint">{TEXTS.confidence.legend}</p>
        </section>
      )}
      {first && second && (
        <div class="stack">
          <Code call={{ operation: 'verify', photos: [first.name, second.name], parameters: PARAMETERS }} />
        </div>
      )}
    </>
  )
}

interface PairProperties {
  pair: Pair
  photos: readonly [ShownPhoto, ShownPhoto]
  isSelected: boolean
  onSelect: () => void
}

const PairCard = ({ pair, photos, isSelected, onSelect }: PairProperties) => (
  <li class={`card line pair${isSelected ? ' selected' : ''}`} onMouseEnter={onSelect}>
    <Probe photo={photos[0]} box={pair.bbox1} label={TEXTS.try.face(pair.first + 1)} />
    <Probe photo={photos[1]} box={pair.bbox2} label={TEXTS.try.face(pair.second + 1)} />
    <div class="grow">
      <button
        type="button"
        class="bare pair-name"
        aria-pressed={isSelected}
        onFocus={onSelect}
        onClick={onSelect}
      >
        {TEXTS.compare.pair(pair.first + 1, pair.second + 1)}
      </button>
      <strong>{TEXTS.compare.verdicts[pairVerdict(pair.confidence)]}</strong>
      <Confidence value={pair.confidence} />
    </div>
  </li>
)

const Probe = (face: CropProperties) => (
  <OpenProbe class="bare" gallery="default" {...face}>
    <Crop {...face} />
  </OpenProbe>
)

interface LinesProperties {
  /** The element that holds both photos. The lines cover it. */
  photosElement: { current: HTMLElement | null }
  photos: readonly [ShownPhoto, ShownPhoto]
  pairs: readonly Pair[]
  chosen: Pair | undefined
}

/** Lines between the faces of two photos, over both photos. */
function PairLines({ photosElement, photos, pairs, chosen }: LinesProperties) {
  const places = usePlaces(photosElement, photos)
  const [size1, size2] = [photos[0].size, photos[1].size]
  if (!places || !size1 || !size2) return null
  // The chosen line is last, over the others.
  const drawn = [...pairs.filter(({ key }) => key !== chosen?.key), ...(chosen ? [chosen] : [])]
  return (
    <svg class="pair-lines" aria-hidden="true">
      {drawn.map(pair => (
        <line
          key={pair.key}
          class={`${tierOf(pair.confidence)}${pair.key === chosen?.key ? ' chosen' : ''}`}
          {...lineOf(
            { box: pair.bbox1, size: size1, place: places[0] },
            { box: pair.bbox2, size: size2, place: places[1] },
          )}
        />
      ))}
    </svg>
  )
}

/** The places of both pictures within the element. They change with the window and when a photo is loaded. */
function usePlaces(
  element: { current: HTMLElement | null },
  photos: readonly [ShownPhoto, ShownPhoto],
): readonly [Rectangle, Rectangle] | undefined {
  const [places, setPlaces] = useState<readonly [Rectangle, Rectangle]>()
  useEffect(() => {
    const pictures = [...(element.current?.querySelectorAll('.boxed-photo img') ?? [])]
    const measure = () => {
      const frame = element.current?.getBoundingClientRect()
      const [first, second] = pictures.map(picture => {
        const { left, top, width, height } = picture.getBoundingClientRect()
        return { left: left - (frame?.left ?? 0), top: top - (frame?.top ?? 0), width, height }
      })
      if (first && second) setPlaces([first, second])
    }
    const observer = new ResizeObserver(measure)
    for (const observed of [element.current, ...pictures]) if (observed) observer.observe(observed)
    return () => observer.disconnect()
  }, [element, ...photos])
  return places
}
