/** A face of a photo that is not stored: its person, and the corrections of a visitor. A correction enrols the face. */
import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import type { Box, EnrolParameters } from '../../clients/typescript/src/index.ts'
import { Dialog } from '../components/dialog.tsx'
import { Crop, WhoLine } from '../components/face-boxes.tsx'
import { SelectField } from '../components/fields.tsx'
import { PersonPicker } from '../components/person-picker.tsx'
import { Loaded, Problem } from '../components/state.tsx'
import { galleryOptions, useGalleries } from '../connection/lists.ts'
import { useClient } from '../connection/service.ts'
import { useAllowed, useToken } from '../connection/session.ts'
import { useAction, useTask } from '../connection/task.ts'
import { FaceDialog } from '../faces/face-dialog.tsx'
import { nameParameters } from '../person-names.ts'
import type { ShownPhoto } from '../photos/photo.ts'
import { TEXTS } from '../texts.ts'
import { personOfMatch, whoOfMatch } from '../who.ts'
import { type Identity, identifyAll, identitiesOf } from './candidates.ts'

interface Probe {
  photo: ShownPhoto
  box: Box
  label: string
  /** The gallery that the face is searched in. Enrolment uses it, too, unless the visitor chooses another one. */
  gallery: string
  /** Undefined: the dialog searches. */
  identity?: Identity
  /** Called after the face is enrolled, and after its person has changed. */
  onEnrolled?: () => void
  onNotThem?: () => void
}

/** A button with `children` that opens the dialog of the face. */
export function OpenProbe({
  class: name,
  children,
  ...probe
}: Probe & { class: string; children: ComponentChildren }) {
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <button type="button" class={name} onClick={() => setOpen(true)}>
        {children}
      </button>
      {isOpen && <ProbeDialog {...probe} onClose={() => setOpen(false)} />}
    </>
  )
}

function ProbeDialog({ photo, box, label, onClose, ...probe }: Probe & { onClose: () => void }) {
  const client = useClient()
  const mayEnrol = useAllowed('post')
  const { persons = false } = useToken()
  const [gallery, setGallery] = useState(probe.gallery)
  const [enrolled, setEnrolled] = useState<number>()
  const galleries = useGalleries().value
  const action = useAction()
  const search = async (signal: AbortSignal) =>
    identitiesOf(await identifyAll(client, photo.file, { gallery, signal }), [box])[0]
  const found = useTask(probe.identity ? undefined : search, [])
  const best = (probe.identity ?? found.value)?.best
  const texts = TEXTS.face
  const enrol = (said: EnrolParameters) => {
    if (action.isRunning) return
    void action.run(async () => {
      const { x1, y1, x2, y2 } = box
      const place = { bbox: [{ x1, y1, x2, y2 }], ...(gallery !== 'default' && { galleries: [gallery] }) }
      const [face] = await client.faces.enrol(photo.file, { ...said, ...place })
      // The service assigned the person, and the visitor denied it.
      const denied = probe.identity?.denied
      if (denied !== undefined && !('person' in said || 'person_id' in said))
        if ([face!.person_id, face!.candidate?.person.id].includes(denied))
          await client.faces.update(face!.id, { not_person: denied })
      probe.onEnrolled?.()
      setEnrolled(face!.id)
    })
  }
  if (enrolled !== undefined)
    return <FaceDialog id={enrolled} onChanged={probe.onEnrolled} onClose={onClose} />
  return (
    <Dialog title={TEXTS.portrait.title} onClose={onClose}>
      <div class="line face-head">
        <Crop photo={photo} box={box} label={label} />
        <div class="large">
          <Loaded task={found} loading={TEXTS.try.identifying} />
          {!found.isRunning && (
            <WhoLine who={best && whoOfMatch(best)} person={best && personOfMatch(best)} />
          )}
        </div>
      </div>
      {mayEnrol && (
        <>
          <SelectField
            label={TEXTS.selection.addGallery}
            options={galleryOptions(galleries)}
            value={gallery}
            onChange={event => setGallery(event.currentTarget.value)}
          />
          <PersonPicker
            label={texts.thisIs}
            hint={texts.enrols}
            onPick={({ id }) => enrol({ person_id: String(id) })}
            onName={name => enrol(nameParameters(name, persons))}
          />
        </>
      )}
      {action.isRunning && <p role="status">{TEXTS.saving}</p>}
      <Problem error={action.problem} />
      <div class="row actions">
        {best && probe.onNotThem && (
          <button type="button" class="quiet" onClick={probe.onNotThem}>
            {texts.notThem}
          </button>
        )}
        {mayEnrol && (
          <button type="button" disabled={action.isRunning} onClick={() => enrol({})}>
            {texts.enrolUnnamed}
          </button>
        )}
        <button type="button" onClick={onClose}>
          {TEXTS.events.close}
        </button>
      </div>
    </Dialog>
  )
}
