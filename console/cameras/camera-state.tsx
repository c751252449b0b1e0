/** What the watcher of a camera reports, and the last frame. Read again and again while the page is visible. */
import { useEffect, useState } from 'preact/hooks'
import type { CameraState, MienClient } from '../../clients/typescript/src/index.ts'
import { Facts } from '../components/table.tsx'
import { useService } from '../connection/service.ts'
import { formatDate } from '../format.ts'
import { TEXTS } from '../texts.ts'

/** Pause between two readings in milliseconds. */
const EVERY_MS = 2_000

interface Seen {
  state: CameraState
  /** Undefined while there is none. */
  picture: Blob | undefined
}

export function CameraStateCard({ id }: { id: string }) {
  const seen = useSeen(id)
  const src = useAddress(seen?.picture)
  if (!seen) return null
  const { live, watcher, since, fps, last_error: error, width, height } = seen.state
  const facts: [string, string | undefined][] = [
    [TEXTS.cameraState.fps, live && fps !== null ? TEXTS.cameraState.rate(fps) : undefined],
    [TEXTS.cameraState.size, width && height ? TEXTS.regions.size(width, height) : undefined],
    [TEXTS.cameraState.since, live && since ? formatDate(since) : undefined],
    [TEXTS.cameraState.error, error ?? undefined],
  ]
  return (
    <section class="card stack camera-state">
      <h2>{TEXTS.cameraState.title}</h2>
      <p>
        {live ? TEXTS.cameraState.live : watcher ? TEXTS.cameraState.silent : TEXTS.cameraState.unwatched}
      </p>
      <Facts class="details" facts={facts} />
      {src !== undefined && <img src={src} alt={TEXTS.cameraState.picture} />}
      {live && src === undefined && <p class="hint">{TEXTS.cameraState.waiting}</p>}
    </section>
  )
}

/** The camera as it was read last. Undefined before the first answer. */
function useSeen(id: string): Seen | undefined {
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
      timer = setTimeout(() => void read(), EVERY_MS)
    }
    void read()
    return () => {
      leaving.abort()
      clearTimeout(timer)
    }
  }, [id])
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
