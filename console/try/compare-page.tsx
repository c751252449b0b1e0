/** The page Compare: every pair of faces of two photos, and whether they are one person. */
import { useState } from 'preact/hooks'
import type { Box, VerifyAnswer } from '../../clients/typescript/src/index.ts'
import { BoxedPhoto, Confidence, Crop, type CropProperties } from '../components/face-boxes.tsx'
import { PageHead } from '../components/page.tsx'
import { PhotoInput } from '../components/photo-input.tsx'
import { Loaded } from '../components/state.tsx'
import { useClient } from '../connection/service.ts'
import { useTask } from '../connection/task.ts'
import { type ShownPhoto, useShownPhoto } from '../photos/photo.ts'
import { TEXTS } from '../texts.ts'
import { pairVerdict } from '../thresholds.ts'
import { Code } from './code.tsx'
import { OpenProbe } from './probe.tsx'

const PARAMETERS = { mf_selector: 'all', threshold: 'none' } as const

export function ComparePage() {
  const client = useClient()
  const [files, setFiles] = useState<{ first?: File; second?: File }>({})
  const [selected, setSelected] = useState<Pair>()
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
      <div class="cards wide few">
        {input('first', photos[0], facesOf(results, 'bbox1'))}
        {input('second', photos[1], facesOf(results, 'bbox2'))}
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
      <p>
        <strong>{TEXTS.compare.verdicts[pairVerdict(pair.confidence)]}</strong>
      </p>
      <Confidence value={pair.confidence} />
    </div>
  </li>
)

const Probe = (face: CropProperties) => (
  <OpenProbe class="bare" gallery="default" {...face}>
    <Crop {...face} />
  </OpenProbe>
)

type Result = VerifyAnswer['results'][number]

/** A pair of faces on two photos. */
interface Pair extends Result {
  key: string
  /** Positions of the faces on their photos, from 0. */
  first: number
  second: number
}

/** Pairs on the page at most: two group photos have thousands. */
const MOST_PAIRS = 60

const keyOf = ({ x1, y1, x2, y2 }: Box) => [x1, y1, x2, y2].join()

/** The faces of one photo, each once, in the order of the answer. */
const facesOf = (results: readonly Result[], side: 'bbox1' | 'bbox2') => [
  ...new Map(results.map(result => [keyOf(result[side]), result[side]])).values(),
]

/** The pairs with the highest confidences, in descending order. */
function bestPairs(results: readonly Result[]): Pair[] {
  const places = (side: 'bbox1' | 'bbox2') => new Map(facesOf(results, side).map((box, i) => [keyOf(box), i]))
  const [first, second] = [places('bbox1'), places('bbox2')]
  return results
    .map(result => {
      const [key1, key2] = [keyOf(result.bbox1), keyOf(result.bbox2)]
      return { ...result, key: `${key1} ${key2}`, first: first.get(key1)!, second: second.get(key2)! }
    })
    .sort((a, b) => b.confidence - a.confidence)
    .slice(0, MOST_PAIRS)
}
