/** The dialog of a stored face, and the picture that opens it: wherever pages show a face, it has the same actions. */
import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import type { Face } from '../../clients/typescript/src/index.ts'
import { Dialog } from '../components/dialog.tsx'
import { Thumbnail } from '../components/face-boxes.tsx'
import { hashOf } from '../route.ts'
import { TEXTS } from '../texts.ts'
import { FaceDetails } from './face-details.tsx'

interface DialogProperties {
  id: number
  title?: string
  onChanged?: () => void
  /** Undefined: a deletion is a change. */
  onDeleted?: () => void
  onClose: () => void
  /** Further actions. */
  children?: ComponentChildren
}

export const FaceDialog = ({
  id,
  title = TEXTS.face.title,
  onChanged,
  onDeleted = onChanged,
  onClose,
  children,
}: DialogProperties) => (
  <Dialog title={title} onClose={onClose}>
    <FaceDetails
      id={id}
      onChanged={onChanged}
      onDeleted={() => {
        onClose()
        onDeleted?.()
      }}
    />
    <div class="row actions">
      {children}
      <a class="button" href={hashOf({ page: 'face', id })}>
        {TEXTS.face.open}
      </a>
      <button type="button" onClick={onClose}>
        {TEXTS.events.close}
      </button>
    </div>
  </Dialog>
)

interface OpenProperties {
  face: Pick<Face, 'id' | 'thumbnail'>
  label: string
  /** Called after the face has changed or is deleted. */
  onChanged?: () => void
  /** Undefined: a deletion is a change. */
  onDeleted?: () => void
}

export function OpenFace({ face, label, ...called }: OpenProperties) {
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <button type="button" class="bare" onClick={() => setOpen(true)}>
        <Thumbnail face={face} label={label} />
      </button>
      {isOpen && <FaceDialog id={face.id} {...called} onClose={() => setOpen(false)} />}
    </>
  )
}
