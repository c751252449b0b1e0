/** Report of the watcher of a camera, and its last frame or its live view, while the page is visible. */
import { useEffect, useRef, useState } from 'preact/hooks'
import type { CameraState, MienClient } from '../../clients/typescript/src/index.ts'
import { Status } from '../components/state.tsx'
import { Facts } from '../components/table.tsx'
import { useClient } from '../connection/service.ts'
import { formatDate } from '../format.ts'
import { TEXTS } from '../texts.ts'

/** Pauses between two readings in milliseconds: of one camera, and of each in a list. */
const EVERY_MS = 2_000
export const LISTED_EVERY_MS = 10_000

interface Seen {
  state: CameraState
  /** Undefined while there is none. */
  picture: Blob | undefined
}

export const CameraStateCard = ({ id }: { id: string }) => (
  <section class="card stack camera-state">
    <h2>{TEXTS.cameraState.title}</h2>
    <CameraSeen id={id} isMoving />
  </section>
)

interface CameraSeenProps {
  id: string
  everyMs?: number
  /** Shows the live view, if the watcher has one. */
  isMoving?: boolean
}

/** Undefined while the live view is tried: the last frame is asked for without one. */
const liveAtFirst = (isMoving: boolean): boolean | undefined => (isMoving ? undefined : false)

/** State, reason and picture of a camera. */
export function CameraSeen({ id, everyMs = EVERY_MS, isMoving = false }: CameraSeenProps) {
  const [isLive, setIsLive] = useState(() => liveAtFirst(isMoving))
  const seen = useSeen(id, everyMs, isLive === false)
  const src = useAddress(seen?.picture)
  if (!seen) return <Status />
  const texts = TEXTS.cameraState
  const { live, watcher, since, fps, last_error: error, width, height, furniture, turn } = seen.state
  const { reason, unused, unused_reason: fault } = seen.state
  const facts: [string, string | undefined][] = [
    [texts.fps, live && fps !== null ? texts.rate(fps) : undefined],
    [texts.size, width && height ? TEXTS.regions.size(width, height) : undefined],
    [texts.since, live && since ? formatDate(since) : undefined],
    [texts.turn, turn ? texts.turnBy(turn) : undefined],
    [texts.staticFaces, furniture?.length ? texts.ignored(furniture.length) : undefined],
    [texts.unused, unused && fault ? texts.missed(unused, texts.faults[fault]) : undefined],
    [texts.error, error ? texts.errors[error] : undefined],
    [texts.refused, live ? undefined : reason],
  ]
  return (
    <>
      <p>{live ? texts.live : watcher ? texts.silent : texts.unwatched}</p>
      {live && <Warnings state={seen.state} />}
      <Facts class="details" facts={facts} />
      {live && isMoving && <LiveImages id={id} isShown={isLive === true} onShown={setIsLive} />}
      {!isLive && src !== undefined && <img src={src} alt={texts.picture} />}
      {live && !isLive && src === undefined && <p class="hint">{texts.waiting}</p>}
    </>
  )
}

/** Warnings about faces and frames that the watcher misses. */
const Warnings = ({ state: { searched = 0, wanted = 0, behind } }: { state: CameraState }) => (
  <>
    {searched < wanted / 2 && <p class="note problem">{TEXTS.cameraState.slow(searched, wanted)}</p>}
    {behind ? <p class="note problem">{TEXTS.cameraState.behind(behind)}</p> : null}
  </>
)

/** Pause in milliseconds before the live view is requested again. */
const AGAIN_MS = 2_000

interface LiveImagesProps {
  id: string
  isShown: boolean
  onShown: (isShown: boolean) => void
}

/** The images of a live view. Each one replaces the previous one. Hidden while there are none. */
function LiveImages({ id, isShown, onShown }: LiveImagesProps) {
  const client = useClient()
  const canvas = useRef<HTMLCanvasElement>(null)
  useEffect(() => {
    const leaving = new AbortController()
    const { signal } = leaving
    const follow = async () => {
      while (!signal.aborted) {
        if (!document.hidden) await showLive(client.live(id, { signal }), canvas.current!, onShown)
        if (!signal.aborted) onShown(false)
        await new Promise(resolve => setTimeout(resolve, AGAIN_MS))
      }
    }
    void follow()
    return () => leaving.abort()
  }, [id])
  return <canvas ref={canvas} hidden={!isShown} role="img" aria-label={TEXTS.cameraState.moving} />
}

/** Draws images until they end or the page is hidden. */
async function showLive(
  images: AsyncGenerator<Blob>,
  canvas: HTMLCanvasElement,
  onShown: (isShown: boolean) => void,
) {
  try {
    for await (const image of images) {
      if (document.hidden) return
      const bitmap = await createImageBitmap(image)
      Object.assign(canvas, { width: bitmap.width, height: bitmap.height })
      canvas.getContext('2d')?.drawImage(bitmap, 0, 0)
      bitmap.close()
      onShown(true)
    }
  } catch {
    // No watcher has a live view, or the connection was lost: the last frame is shown.
  }
}

/** The camera as it was read last, with its last frame if one is wanted. Undefined before the first answer. */
function useSeen(id: string, everyMs: number, isPictureWanted: boolean): Seen | undefined {
  const client = useClient()
  const [seen, setSeen] = useState<Seen>()
  const wanted = useRef(isPictureWanted)
  wanted.current = isPictureWanted
  useEffect(() => {
    const leaving = new AbortController()
    let timer: ReturnType<typeof setTimeout>
    const read = async () => {
      // The watcher sends pictures only while there is a viewer.
      const next = document.hidden ? undefined : await readCamera(client, id, wanted.current, leaving.signal)
      if (leaving.signal.aborted) return
      if (next) setSeen(next)
      // The first picture follows a request for it.
      const isAwaited = next?.state.live && wanted.current && !next.picture
      timer = setTimeout(() => void read(), isAwaited ? EVERY_MS : everyMs)
    }
    void read()
    return () => {
      leaving.abort()
      clearTimeout(timer)
    }
  }, [id, everyMs])
  return seen
}

/** Undefined when the service does not answer: the next reading may succeed. */
async function readCamera(
  client: MienClient,
  id: string,
  isPictureWanted: boolean,
  signal: AbortSignal,
): Promise<Seen | undefined> {
  try {
    const state = await client.cameras.state(id, { signal })
    // Not there before the first request has reached the watcher.
    const picture =
      state.live && isPictureWanted
        ? await client.cameras.picture(id, { signal }).catch(() => undefined)
        : undefined
    return { state, picture }
  } catch {
    return undefined
  }
}

/** An address of the picture within the page, which ends with the picture. */
function useAddress(picture: Blob | undefined): string | undefined {
  const [src, setSrc] = useState<string>()
  useEffect(() => {
    const address = picture && URL.createObjectURL(picture)
    setSrc(address)
    return () => {
      if (address) URL.revokeObjectURL(address)
    }
  }, [picture])
  return src
}
