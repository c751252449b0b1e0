/** Chooses one photo: by drop, file dialog or camera. */
import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import { type FoundFile, faultOf } from '../photos/files.ts'
import { TEXTS } from '../texts.ts'
import { DropZone } from './drop-zone.tsx'
import { FileButton } from './file-button.tsx'
import { Problem } from './problem.tsx'
import { hasWebcam, Webcam } from './webcam.tsx'

/** Files that were left out and are named, at most. */
const MOST_NAMED = 5

interface Properties {
  label: string
  onPhoto: (photo: File) => void
  /** The chosen photo, as the page shows it. */
  children?: ComponentChildren
}

export function PhotoInput({ label, onPhoto, children }: Properties) {
  const [fault, setFault] = useState<string>()
  const [isCameraOpen, setCameraOpen] = useState(false)
  const choose = (files: readonly File[]) => {
    const photo = files.find(file => faultOf(file) === undefined)
    const others = files.filter(file => file !== photo)
    const faults = others.map(file => faultOf(file) ?? TEXTS.input.onlyOne(file.name))
    const more = faults.length - MOST_NAMED
    const named = faults.slice(0, MOST_NAMED)
    setFault([...named, ...(more > 0 ? [TEXTS.input.more(more)] : [])].join(' ') || undefined)
    if (photo) onPhoto(photo)
  }
  const chooseFound = (found: readonly FoundFile[]) => choose(found.map(({ file }) => file))
  const hasPhoto = Boolean(children)
  return (
    <DropZone class={hasPhoto ? 'filled' : ''} label={label} onFiles={chooseFound}>
      {children}
      <div class="choices">
        {!hasPhoto && <p class="prompt">{TEXTS.input.drop}</p>}
        <FileButton
          label={hasPhoto ? TEXTS.input.another : TEXTS.input.choose}
          class={hasPhoto ? 'quiet' : 'primary'}
          onFiles={chooseFound}
        />
        {hasWebcam() && (
          <button type="button" class="quiet" onClick={() => setCameraOpen(true)}>
            {TEXTS.input.webcam}
          </button>
        )}
        {!hasPhoto && <p class="hint">{TEXTS.input.limits}</p>}
      </div>
      {fault !== undefined && <Problem error={fault} />}
      {isCameraOpen && <Webcam onPhoto={photo => choose([photo])} onClose={() => setCameraOpen(false)} />}
    </DropZone>
  )
}
