/** Chooses one photo: by drop, file dialog or camera. */
import type { ComponentChildren } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'
import { type FoundFile, faultOf } from '../photos/files.ts'
import { TEXTS } from '../texts.ts'
import { Dialog } from './dialog.tsx'
import { DropZone, FileButton } from './drop-zone.tsx'
import { Problem } from './state.tsx'

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
      <div class="row choices">
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
      <Problem error={fault} />
      {isCameraOpen && <Webcam onPhoto={photo => choose([photo])} onClose={() => setCameraOpen(false)} />}
    </DropZone>
  )
}

/** False on pages without a secure origin, where browsers offer no camera. */
const hasWebcam = (): boolean => typeof navigator.mediaDevices?.getUserMedia === 'function'

interface WebcamProperties {
  onPhoto: (photo: File) => void
  onClose: () => void
}

/** A dialog that takes a photo with the camera of the device. The camera is on while the dialog is open. */
function Webcam({ onPhoto, onClose }: WebcamProperties) {
  const video = useRef<HTMLVideoElement>(null)
  const [state, setState] = useState<'starting' | 'ready' | 'refused'>('starting')
  useEffect(() => {
    let stream: MediaStream | undefined
    let isOpen = true
    const stop = () => stream?.getTracks().forEach(track => void track.stop())
    navigator.mediaDevices.getUserMedia({ video: { width: { ideal: 1280 } } }).then(
      opened => {
        stream = opened
        if (!isOpen || !video.current) return stop()
        video.current.srcObject = opened
      },
      () => isOpen && setState('refused'),
    )
    return () => {
      isOpen = false
      stop()
    }
  }, [])

  const take = async () => {
    const photo = await photoOf(video.current!)
    if (photo) onPhoto(photo)
    onClose()
  }
  return (
    <Dialog title={TEXTS.input.webcamTitle} onClose={onClose}>
      {state === 'refused' ? (
        <Problem error={TEXTS.errors.camera} />
      ) : (
        <video ref={video} class="webcam" autoplay muted playsInline onPlaying={() => setState('ready')} />
      )}
      <div class="row actions">
        <button type="button" class="quiet" onClick={onClose}>
          {TEXTS.cancel}
        </button>
        <button type="button" class="primary" disabled={state !== 'ready'} onClick={() => void take()}>
          {TEXTS.input.take}
        </button>
      </div>
    </Dialog>
  )
}

async function photoOf(video: HTMLVideoElement): Promise<File | undefined> {
  const canvas = new OffscreenCanvas(video.videoWidth, video.videoHeight)
  canvas.getContext('2d')?.drawImage(video, 0, 0)
  const blob = await canvas.convertToBlob({ type: 'image/jpeg', quality: 0.92 })
  return new File([blob], TEXTS.input.webcamName, { type: blob.type })
}
