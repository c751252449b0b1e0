/** Chooses one photo: by drop, file dialog or camera. */
import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import { faultOf } from '../photos/files.ts'
import { TEXTS } from '../texts.ts'
import { DropZone } from './drop-zone.tsx'
import { FileButton } from './file-button.tsx'
import { Problem } from './problem.tsx'
import { hasWebcam, Webcam } from './webcam.tsx'

interface Properties {
  label: string
  onPhoto: (photo: File) => void
  /** The chosen photo, as the page shows it. */
  children?: ComponentChildren
}

export function PhotoInput({ label, onPhoto, children }: Properties) {
  const [fault, setFault] = useState<string>()
  const [isCameraOpen, setCameraOpen] = useState(false)
  const choose = (file: File | undefined) => {
    if (!file) return
    const found = faultOf(file)
    setFault(found)
    if (found === undefined) onPhoto(file)
  }
  const hasPhoto = Boolean(children)
  return (
    <DropZone class={hasPhoto ? 'filled' : ''} label={label} onFiles={([first]) => choose(first?.file)}>
      {children}
      <div class="choices">
        {!hasPhoto && <p class="prompt">{TEXTS.input.drop}</p>}
        <FileButton
          label={hasPhoto ? TEXTS.input.another : TEXTS.input.choose}
          class={hasPhoto ? 'quiet' : 'primary'}
          onFiles={([first]) => choose(first?.file)}
        />
        {hasWebcam() && (
          <button type="button" class="quiet" onClick={() => setCameraOpen(true)}>
            {TEXTS.input.webcam}
          </button>
        )}
        {!hasPhoto && <p class="hint">{TEXTS.input.limits}</p>}
      </div>
      {fault !== undefined && <Problem error={fault} />}
      {isCameraOpen && <Webcam onPhoto={choose} onClose={() => setCameraOpen(false)} />}
    </DropZone>
  )
}
