/** Chooses one photo: by drop, paste, file dialog or camera. */
import type { ComponentChildren } from 'preact'
import { useRef, useState } from 'preact/hooks'
import { useAction } from '../connection/task.ts'
import { type FoundFile, faultOf } from '../photos/files.ts'
import { acceptedPhoto, isRewritten, LONGEST_SIDE } from '../photos/jpeg.ts'
import { TEXTS } from '../texts.ts'
import { DropZone, FileButton } from './drop-zone.tsx'
import { Problem, Status } from './state.tsx'
import { WebcamButton } from './webcam.tsx'

/** Files that were left out and are named, at most. */
const MOST_NAMED = 5

interface Properties {
  label: string
  /** Whether a pasted picture is for this input. Default: yes. */
  takesPasted?: boolean
  onPhoto: (photo: File) => void
  /** The chosen photo, as the page shows it. */
  children?: ComponentChildren
}

export function PhotoInput({ label, takesPasted = true, onPhoto, children }: Properties) {
  const [fault, setFault] = useState<string>()
  const [wasRewritten, setRewritten] = useState(false)
  const latest = useRef<File>(undefined)
  const action = useAction()
  const choose = (files: readonly File[]) => {
    const photo = files.find(file => faultOf(file) === undefined)
    const others = files.filter(file => file !== photo)
    const faults = others.map(file => faultOf(file) ?? TEXTS.input.onlyOne(file.name))
    const more = faults.length - MOST_NAMED
    const named = faults.slice(0, MOST_NAMED)
    setFault([...named, ...(more > 0 ? [TEXTS.input.more(more)] : [])].join(' ') || undefined)
    if (!photo) return
    latest.current = photo
    void action.run(async () => {
      const accepted = await acceptedPhoto(photo)
      if (latest.current !== photo) return
      setRewritten(isRewritten(photo))
      onPhoto(accepted)
    })
  }
  const chooseFound = (found: readonly FoundFile[]) => choose(found.map(({ file }) => file))
  const hasPhoto = Boolean(children)
  return (
    <DropZone
      class={hasPhoto ? 'filled' : ''}
      label={label}
      onFiles={chooseFound}
      onPasted={takesPasted ? chooseFound : undefined}
    >
      {children}
      <div class="row centered choices">
        {!hasPhoto && <p class="whole prompt">{TEXTS.input.drop}</p>}
        <FileButton
          label={hasPhoto ? TEXTS.input.another : TEXTS.input.choose}
          class={hasPhoto ? 'quiet' : 'primary'}
          onFiles={chooseFound}
        />
        <WebcamButton onPhoto={photo => choose([photo])} />
        {!hasPhoto && <p class="whole hint">{TEXTS.input.limits}</p>}
      </div>
      {action.isRunning && <Status text={TEXTS.input.reading} />}
      {action.isDone && wasRewritten && (
        <p class="hint" role="status">
          {TEXTS.input.rewritten(LONGEST_SIDE)}
        </p>
      )}
      <Problem error={fault ?? action.problem} />
    </DropZone>
  )
}
