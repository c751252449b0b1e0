/** Both regions of a camera: drawn on a picture of it, or typed as numbers. */
import { useState } from 'preact/hooks'
import { PhotoInput } from '../components/photo-input.tsx'
import { useShownPhoto } from '../photos/photo.ts'
import { TEXTS } from '../texts.ts'
import { RegionSurface } from './region-surface.tsx'
import {
  EMPTY_FIELDS,
  fieldsOf,
  REGION_NAMES,
  type Region,
  type RegionFields,
  type RegionName,
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
  const change = (name: RegionName, fields: RegionFields) => onTexts({ ...texts, [name]: fields })
  return (
    <section class="card stack region-editor">
      <h2>{TEXTS.regions.title}</h2>
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
    </section>
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

/** The regions of the fields. A text says what is wrong with a region that is not finished. */
export function regionsOf(texts: RegionTexts): Record<RegionName, Region | undefined> | string {
  const [rot, roi] = [regionOf(texts.rot), regionOf(texts.roi)]
  if (rot === null) return TEXTS.camera.unfinished(TEXTS.cameras.rot)
  return roi === null ? TEXTS.camera.unfinished(TEXTS.cameras.roi) : { rot, roi }
}
