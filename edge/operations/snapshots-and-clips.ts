/** Handlers of snapshots and clips: check their bytes, and send them to core. */

import { sha256 } from '../../contract/digest.ts'
import { badParam } from '../../contract/errors.ts'
import { readHeader } from '../../wasm/decode/header.ts'
import { noContent } from '../http/context.ts'
import { changedBy } from './forward.ts'
import type { CallOf } from './route.ts'

export const footageHandlers = {
  async putSnapshot({ core, caller, params: { id, snapshot } }: CallOf<'putSnapshot'>): Promise<Response> {
    if (readHeader(snapshot).format !== 'jpeg')
      throw badParam('snapshot', '(file)', 'snapshot: expected a JPEG image.')
    const hash = await sha256(snapshot)
    await core.call('face.footage', { ...changedBy(caller), id, kind: 'snapshot', hash }, [snapshot])
    return noContent()
  },

  async putClip({ core, caller, params: { id, clip } }: CallOf<'putClip'>): Promise<Response> {
    if (!isWholeMp4(clip)) throw badParam('clip', '(file)', 'clip: expected a whole MP4 file.')
    await core.call('face.footage', { ...changedBy(caller), id, kind: 'clip' }, [clip])
    return noContent()
  },
}

/** Boxes of a file at most. ffmpeg writes five for a clip. */
const MOST_BOXES = 1_000

/** Whether the bytes are an MP4 file up to the end of its last box. A file that was cut off is none. */
function isWholeMp4(bytes: Uint8Array): boolean {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length)
  const kinds: string[] = []
  let at = 0
  while (at + 8 <= bytes.length && kinds.length < MOST_BOXES) {
    const size = view.getUint32(at)
    // 0 and 1 stand for other forms of a size, which files of these sizes do not need.
    if (size < 8) return false
    kinds.push(String.fromCharCode(...bytes.subarray(at + 4, at + 8)))
    at += size
  }
  return at === bytes.length && kinds[0] === 'ftyp' && kinds.includes('moov') && kinds.includes('mdat')
}
