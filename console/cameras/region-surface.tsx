/** A picture of the camera on which the visitor draws its regions. */
import { useRef } from 'preact/hooks'
import { placeOf, type Size } from '../photos/boxes.ts'
import { TEXTS } from '../texts.ts'
import {
  boxOfRegion,
  movedBy,
  type Point,
  REGION_NAMES,
  type Region,
  type RegionName,
  regionBetween,
} from './regions.ts'

interface Properties {
  /** Address of the picture; undefined for an empty surface. */
  picture: string | undefined
  /** Size of the stream in pixels. */
  size: Size
  regions: Record<RegionName, Region | undefined>
  /** The region that the mouse draws. */
  active: RegionName
  onRegion: (region: Region) => void
}

/** Returns the region of the drag for the present place of the pointer. */
type Drag = (point: Point) => Region | undefined

export function RegionSurface({ picture, size, regions, active, onRegion }: Properties) {
  const surface = useRef<HTMLDivElement>(null)
  const drag = useRef<Drag | undefined>(undefined)
  const pointOf = ({ clientX, clientY }: PointerEvent): Point => {
    const { left, top, width, height } = surface.current!.getBoundingClientRect()
    return { x: ((clientX - left) / width) * size.width, y: ((clientY - top) / height) * size.height }
  }
  const start = (event: PointerEvent) => {
    if (event.button !== 0) return
    event.preventDefault()
    surface.current!.setPointerCapture(event.pointerId)
    const grip = (event.target as Element).getAttribute('data-grip')
    drag.current = dragFrom(grip, pointOf(event), regions[active], size)
  }
  const move = (event: PointerEvent) => {
    const region = drag.current?.(pointOf(event))
    if (region) onRegion(region)
  }
  const end = () => {
    drag.current = undefined
  }
  return (
    <div
      ref={surface}
      class="region-surface"
      role="img"
      aria-label={TEXTS.regions.surface}
      style={{ aspectRatio: `${size.width} / ${size.height}` }}
      onPointerDown={start}
      onPointerMove={move}
      onPointerUp={end}
      onPointerCancel={end}
    >
      {picture !== undefined && <img src={picture} alt="" draggable={false} />}
      {REGION_NAMES.map(name => {
        const region = regions[name]
        return (
          region && (
            <div
              key={name}
              class={`region ${name}${name === active ? ' active' : ''}`}
              style={placeOf(boxOfRegion(region), size)}
              data-grip={name === active ? 'inside' : undefined}
            >
              <span>{TEXTS.cameras[name]}</span>
              {name === active && <i data-grip="corner" />}
            </div>
          )
        )
      })}
    </div>
  )
}

/** A press on the corner resizes the region, inside it moves it, and elsewhere draws a new one. */
function dragFrom(grip: string | null, from: Point, region: Region | undefined, size: Size): Drag {
  if (!region || grip === null) return point => regionBetween(from, point, size)
  if (grip === 'corner') return point => regionBetween({ x: region[2], y: region[3] }, point, size)
  return point => movedBy(region, { x: point.x - from.x, y: point.y - from.y }, size)
}
