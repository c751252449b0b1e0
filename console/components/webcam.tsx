/** Takes a photo with the camera of the device, and shows the advice of the service about the picture. */
import { useEffect, useRef, useState } from 'preact/hooks'
import { useClient } from '../connection/service.ts'
import { jpegOf } from '../photos/jpeg.ts'
import { type Advice, adviceFor } from '../photos/portrait-advice.ts'
import { TEXTS } from '../texts.ts'
import { Dialog } from './dialog.tsx'
import { Problem } from './state.tsx'

interface ButtonProperties {
  label?: string
  onPhoto: (photo: File) => void
}

/** Nothing on pages without a secure origin, where browsers offer no camera. */
export function WebcamButton({ label = TEXTS.input.webcam, onPhoto }: ButtonProperties) {
  const [isOpen, setOpen] = useState(false)
  if (typeof navigator.mediaDevices?.getUserMedia !== 'function') return null
  return (
    <>
      <button type="button" class="quiet" onClick={() => setOpen(true)}>
        {label}
      </button>
      {isOpen && <Webcam onPhoto={onPhoto} onClose={() => setOpen(false)} />}
    </>
  )
}

interface WebcamProperties {
  onPhoto: (photo: File) => void
  onClose: () => void
}

/** The camera is on while the dialog is open. */
function Webcam({ onPhoto, onClose }: WebcamProperties) {
  const video = useRef<HTMLVideoElement>(null)
  const [isPlaying, setPlaying] = useState(false)
  const [problem, setProblem] = useState<string>()
  const advice = useAdvice(video, isPlaying)
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
      error => isOpen && setProblem(problemOf(error)),
    )
    return () => {
      isOpen = false
      stop()
    }
  }, [])

  const take = async () => {
    const { videoWidth } = video.current!
    onPhoto(await pictureOf(video.current!, videoWidth))
    onClose()
  }
  return (
    <Dialog title={TEXTS.input.webcamTitle} onClose={onClose}>
      {problem === undefined ? (
        <>
          <video ref={video} class="webcam" autoplay muted playsInline onPlaying={() => setPlaying(true)} />
          <p class="row centered" role="status">
            <strong class={`large dot ${advice === 'ready' ? 'strict' : ''}`}>
              {TEXTS.input.advice[advice ?? 'looking']}
            </strong>
          </p>
        </>
      ) : (
        <Problem error={problem} />
      )}
      <div class="row actions">
        <button type="button" class="quiet" onClick={onClose}>
          {TEXTS.cancel}
        </button>
        <button type="button" class="primary" disabled={!isPlaying} onClick={() => void take()}>
          {TEXTS.input.take}
        </button>
      </div>
    </Dialog>
  )
}

/** Why there is no picture, by the name of the error of the browser. */
function problemOf(error: unknown) {
  const name = error instanceof DOMException ? error.name : ''
  if (name === 'NotAllowedError') return TEXTS.errors.cameraDenied
  return name === 'NotFoundError' ? TEXTS.errors.noCamera : TEXTS.errors.camera
}

/** Milliseconds between two looks, and after a failed look. */
const LOOK_MS = 500
const FAILED_MS = 5_000

/** Width of the picture that is sent for an advice, in pixels. */
const LOOK_WIDTH = 480

/** Advice of the service, about twice a second, one request at a time. Undefined before the first answer, and while there is none. */
function useAdvice(video: { current: HTMLVideoElement | null }, isPlaying: boolean): Advice | undefined {
  const client = useClient()
  const [advice, setAdvice] = useState<Advice>()
  useEffect(() => {
    if (!isPlaying) return
    const aborter = new AbortController()
    const { signal } = aborter
    let timer: ReturnType<typeof setTimeout>
    const look = async () => {
      const start = Date.now()
      let pause = LOOK_MS
      try {
        const { videoWidth, videoHeight } = video.current!
        const size = { width: LOOK_WIDTH, height: (LOOK_WIDTH * videoHeight) / videoWidth }
        const picture = await pictureOf(video.current!, LOOK_WIDTH)
        const { faces } = await client.detect(picture, { quality: true }, { signal })
        if (!signal.aborted) setAdvice(adviceFor(faces, size))
      } catch {
        // The photo can be taken without an advice.
        if (!signal.aborted) setAdvice(undefined)
        pause = FAILED_MS
      }
      if (!signal.aborted) timer = setTimeout(look, Math.max(0, start + pause - Date.now()))
    }
    void look()
    return () => {
      aborter.abort()
      clearTimeout(timer)
    }
  }, [isPlaying, client])
  return advice
}

/** The picture that the video shows, so many pixels wide, as JPEG. */
const pictureOf = (video: HTMLVideoElement, width: number) =>
  jpegOf(video, { width, height: (width * video.videoHeight) / video.videoWidth }, TEXTS.input.webcamName)
