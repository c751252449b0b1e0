/** Lines between the faces of two photos, over both photos. */
import { useEffect, useState } from 'preact/hooks'
import type { ShownPhoto } from '../photos/photo.ts'
import { tierOf } from '../thresholds.ts'
import { lineOf, type Rectangle } from './lines.ts'
import type { Pair } from './pairs.ts'

interface Properties {
  /** The element that holds both photos. The lines cover it. */
  photosElement: { current: HTMLElement | null }
  photos: readonly [ShownPhoto, ShownPhoto]
  pairs: readonly Pair[]
  chosen: Pair | undefined
}

export function PairLines({ photosElement, photos, pairs, chosen }: Properties) {
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
