/** Uses the client as a program in a Worker does. */
import { MienClient, MienError } from '../../../clients/typescript/src/index.ts'

const messageOf = (call: Promise<unknown>): Promise<string> =>
  call.then(
    () => 'no error',
    (error: Error) => (error instanceof MienError ? error.code : error.message),
  )

/** Answers that a test checks. The photo shows three faces. */
export async function usePortably(url: string, token: string, photo: ArrayBuffer) {
  const mien = new MienClient({ url, token })
  const enrolled = await mien.faces.enrol(new File([photo], 'ann.jpg'), { meta: 'Ann', mf_selector: 'all' })
  const signal = AbortSignal.abort(new Error('Enough.'))
  const told = {
    detected: (await mien.detect(photo)).faces.length,
    names: enrolled.map(face => face.photo),
    listed: (await mien.faces.list({ pageSize: 2 }).toArray()).length,
    deleted: await mien.faces.deleteWithMeta('Ann'),
    missing: await messageOf(mien.faces.get(enrolled[0]!.id)),
    aborted: await messageOf(mien.detect(photo, {}, { signal })),
    path: await messageOf(mien.detect('photo.jpg')),
    unreachable: await messageOf(
      new MienClient({ url: 'http://127.0.0.1:9', token, retries: 0 }).faces.get(1),
    ),
  }
  return told
}
