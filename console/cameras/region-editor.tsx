/** Both regions of a camera: drawn on a picture of it, or typed as numbers. */
import { useRef, useState } from 'preact/hooks'
import { PhotoInput } from '../components/photo-input.tsx'
import { placeOf, type Size, useShownPhoto } from '../photos/photo.ts'
import { TEXTS } from '../texts.ts'
import {
  boxOfRegion,
  EMPTY_FIELDS,
  fieldsOf,
  moveRegion,
  type Point,
  REGION_NAMES,
  type Region,
  type RegionFields,
  type RegionName,
  regionBetween,
  regionOf,
  surfaceSize,
} from './regions.ts'

type RegionTexts = Record<RegionName, RegionFields>

interface Properties {
  texts: RegionTexts
  onTexts: (texts: RegionTexts) => void
}

export function RegionEditor({ texts, onTexts }: Properties) {
  const [active, setActive] = useState<RegionName>('rot')
  const [file, setFile] = useState<File>()
  const photo = useShownPhoto(file)
  const regions = { rot: regionOf(texts.rot) ?? undefined, roi: regionOf(texts.roi) ?? undefined }
  const size = photo?.size ?? surfaceSize([regions.rot, regions.roi])
  const [hasRegions] = useState(Boolean(regions.rot || regions.roi))
  const change = (name: RegionName, fields: RegionFields) => onTexts({ ...texts, [name]: fields })
  return (
    <details class="card region-editor" open={hasRegions}>
      <summary>{TEXTS.regions.title}</summary>
      <p class="hint">{TEXTS.regions.hint}</p>
      <PhotoInput label={TEXTS.regions.picture} onPhoto={setFile}>
        <RegionSurface
          picture={photo?.src}
          size={size}
          regions={regions}
          active={active}
          onRegion={region => change(active, fieldsOf(region))}
        />
        <p class="hint">{TEXTS.regions.size(size.width, size.height)}</p>
      </PhotoInput>
      <div class="fields">
        {REGION_NAMES.map(name => (
          <OneRegion
            key={name}
            name={name}
            fields={texts[name]}
            isActive={name === active}
            onActive={() => setActive(name)}
            onFields={fields => change(name, fields)}
          />
        ))}
      </div>
    </details>
  )
}

interface OneProperties {
  name: RegionName
  fields: RegionFields
  isActive: boolean
  onActive: () => void
  onFields: (fields: RegionFields) => void
}

const SIDES = ['width', 'height', 'x', 'y'] as const

function OneRegion({ name, fields, isActive, onActive, onFields }: OneProperties) {
  const label = TEXTS.cameras[name]
  const change = (i: number, text: string) =>
    onFields(fields.map((field, at) => (at === i ? text : field)) as RegionFields)
  return (
    <fieldset>
      <legend>{label}</legend>
      <p class="hint">{name === 'rot' ? TEXTS.regions.rotHint : TEXTS.regions.roiHint}</p>
      <label class="check">
        <input type="radio" name="drawn-region" checked={isActive} onChange={onActive} />
        {TEXTS.regions.draw(label)}
      </label>
      <div class="sides">
        {SIDES.map((side, i) => (
          <label key={side}>
            {TEXTS.regions.sides[side]}
            <input
              inputMode="numeric"
              autocomplete="off"
              value={fields[i]}
              onFocus={onActive}
              onInput={event => change(i, event.currentTarget.value)}
            />
          </label>
        ))}
      </div>
      {fields.some(field => field !== '') && (
        <button type="button" class="quiet" onClick={() => onFields(EMPTY_FIELDS)}>
          {TEXTS.regions.remove(label)}
        </button>
      )}
    </fieldset>
  )
}

/** The regions of the fields. A returned text describes the mistake of an unfinished region. */
export function regionsOf(texts: RegionTexts): Record<RegionName, Region | undefined> | string {
  const [rot, roi] = [regionOf(texts.rot), regionOf(texts.roi)]
  if (rot === null) return TEXTS.camera.unfinished(TEXTS.cameras.rot)
  return roi === null ? TEXTS.camera.unfinished(TEXTS.cameras.roi) : { rot, roi }
}

interface SurfaceProperties {
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

/** A picture of the camera on which the visitor draws its regions. */
function RegionSurface({ picture, size, regions, active, onRegion }: SurfaceProperties) {
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
  return point => moveRegion(region, { x: point.x - from.x, y: point.y - from.y }, size)
}
