/** Fetches the snapshot of a Frigate event, and decodes it. */
import sharp from 'sharp'
import type { Raster } from '../../wasm/imaging/image.ts'
import { MAX_FRAME_PIXELS } from '../frames/ppm.ts'

export interface Snapshot {
  photo: Uint8Array<ArrayBuffer>
  picture: Raster
}

/** Bytes of a snapshot. Frigate takes it from the stream for detection, which is mostly smaller than 1920 x 1080. */
const MAX_BYTES = 4 * 2 ** 20

const FETCH_MS = 10_000

/** While the event goes on, these parameters have an effect. Then the settings of Frigate's `snapshots` count. */
const PARAMETERS = 'crop=0&bbox=0&timestamp=0&quality=90'

/**
 * The best snapshot so far. Undefined if Frigate has none. Rejects when Frigate does not answer, and for an answer that is no
 * picture within the bounds.
 */
export async function fetchSnapshot(
  frigate: string,
  id: string,
  signal: AbortSignal,
): Promise<Snapshot | undefined> {
  const response = await fetch(`${frigate}/api/events/${id}/snapshot.jpg?${PARAMETERS}`, {
    signal: AbortSignal.any([signal, AbortSignal.timeout(FETCH_MS)]),
    redirect: 'error',
  })
  if (!response.ok) {
    await response.body?.cancel()
    if (response.status === 404) return undefined
    throw new Error(`Frigate answers ${response.status}.`)
  }
  const photo = await bytesOf(response)
  const { data, info } = await sharp(photo, { limitInputPixels: MAX_FRAME_PIXELS })
    .removeAlpha()
    .toColourspace('srgb')
    .raw()
    .toBuffer({ resolveWithObject: true })
  // The memory moves to the thread that analyses the picture.
  return { photo, picture: { data: new Uint8Array(data), width: info.width, height: info.height } }
}

async function bytesOf({ body }: Response): Promise<Uint8Array<ArrayBuffer>> {
  const parts: Uint8Array[] = []
  let length = 0
  for await (const part of body ?? []) {
    length += part.length
    if (length > MAX_BYTES) throw new Error('The snapshot is too large.')
    parts.push(part)
  }
  return new Uint8Array(Buffer.concat(parts))
}
