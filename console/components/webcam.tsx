/** A dialog that takes a photo with the camera of the device. The camera is on while the dialog is open. */
import { useEffect, useRef, useState } from 'preact/hooks'
import { TEXTS } from '../texts.ts'
import { Dialog } from './dialog.tsx'
import { Problem } from './problem.tsx'

/** False on pages without a secure origin, where browsers offer no camera. */
export const hasWebcam = (): boolean => typeof navigator.mediaDevices?.getUserMedia === 'function'

interface Properties {
  onPhoto: (photo: File) => void
  onClose: () => void
}

export function Webcam({ onPhoto, onClose }: Properties) {
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
      <div class="actions">
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
