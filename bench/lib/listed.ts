/** All faces that a service lists. */
import type { Send } from '#test/support/client.ts'

/** A face of a list, with what benchmarks need of it. */
export interface Listed {
  id: number
  meta: string
  person_id: number
  detector_info: Readonly<Record<string, string>>
}

/** The faces of the token's owner. `query` is a filter, for example `cam_id=...`. */
export async function listed(send: Send, query = ''): Promise<Listed[]> {
  const faces: Listed[] = []
  for (let path: string | undefined = `/v1/faces?${query}`; path; ) {
    const { status, body }: Awaited<ReturnType<Send>> = await send('GET', path)
    if (status !== 200) throw new Error(`${path} was answered with ${status}.`)
    faces.push(...body.results)
    path = body.next_page
  }
  return faces
}
