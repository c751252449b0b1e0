/** What the watcher of a camera reports, and the last frame. Read again and again while the page is visible. */
import { useEffect, useState } from 'preact/hooks'
import type { CameraState, MienClient } from '../../clients/typescript/src/index.ts'
import { Facts } from '../components/table.tsx'
import { useService } from '../connection/service.ts'
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
    <CameraSeen id={id} everyMs={EVERY_MS} />
  </section>
)

/** State, reason and picture of a camera. */
export function CameraSeen({ id, everyMs }: { id: string; everyMs: number }) {
  const seen = useSeen(id, everyMs)
  const src = useAddress(seen?.picture)
  if (!seen) return null
  const texts = TEXTS.cameraState
  const { live, watcher, since, fps, last_error: error, width, height, furniture, turn } = seen.state
  const facts: [string, string | undefined][] = [
    [texts.fps, live && fps !== null ? texts.rate(fps) : undefined],
    [texts.size, width && height ? TEXTS.regions.size(width, height) : undefined],
    [texts.since, live && since ? formatDate(since) : undefined],
    [texts.turn, turn ? texts.turnBy(turn) : undefined],
    [texts.furniture, furniture?.length ? texts.ignored(furniture.length) : undefined],
    [texts.error, error ? texts.errors[error] : undefined],
  ]
  return (
    <>
      <p>{live ? texts.live : watcher ? texts.silent : texts.unwatched}</p>
      <Facts class="details" facts={facts} />
      {src !== undefined && <img src={src} alt={texts.picture} />}
      {live && src === undefined && <p class="hint">{texts.waiting}</p>}
    </>
  )
}

/** The camera as it was read last. Undefined before the first answer. */
function useSeen(id: string, everyMs: number): Seen | undefined {
  const { client } = useService()
  const [seen, setSeen] = useState<Seen>()
  useEffect(() => {
    const leaving = new AbortController()
    let timer: ReturnType<typeof setTimeout>
    const read = async () => {
      // A picture is sent only while somebody looks at it.
      const next = document.hidden ? undefined : await readCamera(client, id, leaving.signal)
      if (leaving.signal.aborted) return
      if (next) setSeen(next)
      timer = setTimeout(() => void read(), everyMs)
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
async function readCamera(client: MienClient, id: string, signal: AbortSignal): Promise<Seen | undefined> {
  try {
    const state = await client.cameras.state(id, { signal })
    // Not there before the first request has reached the watcher.
    const picture = state.live
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
