/** The page Compare: every pair of faces of two photos. */
import { useRef, useState } from 'preact/hooks'
import { BoxedPhoto } from '../components/boxed-photo.tsx'
import { Code } from '../components/code.tsx'
import { Confidence } from '../components/confidence.tsx'
import { PhotoInput } from '../components/photo-input.tsx'
import { Problem } from '../components/problem.tsx'
import { Status } from '../components/status.tsx'
import { Crop } from '../components/thumbnail.tsx'
import { useService } from '../connection/context.ts'
import { useTask } from '../connection/task.ts'
import { type ShownPhoto, useShownPhoto } from '../photos/photo.ts'
import { TEXTS } from '../texts.ts'
import { PairLines } from './pair-lines.tsx'
import { bestPairs, facesOf, type Pair } from './pairs.ts'

const PARAMETERS = { mf_selector: 'all', threshold: 'none' } as const

export function ComparePage() {
  const { client } = useService()
  const [files, setFiles] = useState<{ first?: File; second?: File }>({})
  const [selected, setSelected] = useState<Pair>()
  const photosElement = useRef<HTMLDivElement>(null)
  const { first, second } = files
  const photos = [useShownPhoto(first), useShownPhoto(second)] as const
  const comparison = useTask(
    first && second && (signal => client.verify(first, second, PARAMETERS, { signal })),
    [first, second],
  )
  const results = comparison.state === 'done' ? comparison.value.results : []
  const boxes = [facesOf(results, 'bbox1'), facesOf(results, 'bbox2')] as const
  const pairs = bestPairs(results)
  const chosen = selected && pairs.some(({ key }) => key === selected.key) ? selected : pairs[0]
  const input = (side: 0 | 1) => (
    <PhotoInput
      label={side === 0 ? TEXTS.compare.first : TEXTS.compare.second}
      onPhoto={file => setFiles(side === 0 ? { ...files, first: file } : { ...files, second: file })}
    >
      {photos[side] && (
        <BoxedPhoto
          photo={photos[side]}
          boxes={boxes[side]}
          selected={chosen?.[side === 0 ? 'first' : 'second']}
          onSelect={face => setSelected(pairs.find(pair => pair[side === 0 ? 'first' : 'second'] === face))}
        />
      )}
    </PhotoInput>
  )
  return (
    <>
      <header class="page-head">
        <h1>{TEXTS.compare.title}</h1>
        <p>{TEXTS.compare.intro}</p>
      </header>
      <div class="columns even compared" ref={photosElement}>
        {input(0)}
        {input(1)}
        {photos[0] && photos[1] && pairs.length > 0 && (
          <PairLines
            photosElement={photosElement}
            photos={[photos[0], photos[1]]}
            pairs={pairs}
            chosen={chosen}
          />
        )}
      </div>
      {comparison.state === 'running' && <Status text={TEXTS.compare.comparing} />}
      {comparison.state === 'failed' && <Problem error={comparison.error} onRetry={comparison.retry} />}
      {photos[0] && photos[1] && pairs.length > 0 && (
        <section class="pairs">
          <h2>{TEXTS.compare.pairs(results.length)}</h2>
          {pairs.length < results.length && <p class="hint">{TEXTS.compare.more(pairs.length)}</p>}
          <ul>
            {pairs.map(pair => (
              <PairCard
                key={pair.key}
                pair={pair}
                photos={[photos[0]!, photos[1]!]}
                isSelected={pair.key === chosen?.key}
                onSelect={() => setSelected(pair)}
              />
            ))}
          </ul>
          <p class="hint">{TEXTS.confidence.legend}</p>
        </section>
      )}
      {first && second && (
        <div class="codes">
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
  <li class={`card pair${isSelected ? ' selected' : ''}`} onMouseEnter={onSelect}>
    <Crop photo={photos[0]} box={pair.bbox1} label={TEXTS.try.face(pair.first + 1)} />
    <Crop photo={photos[1]} box={pair.bbox2} label={TEXTS.try.face(pair.second + 1)} />
    <div class="pair-body">
      <button type="button" class="pair-name" aria-pressed={isSelected} onFocus={onSelect} onClick={onSelect}>
        {TEXTS.compare.pair(pair.first + 1, pair.second + 1)}
      </button>
      <Confidence value={pair.confidence} />
    </div>
  </li>
)
