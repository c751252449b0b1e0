/** A request's body as bytes: bounded in size before and while it arrives, and in the time it may take. */
import { badParam, ServiceError } from '../core/contract/errors.ts'
import { LIMITS } from '../core/contract/limits.ts'

/** Empty when there is none. PHOTO_TOO_LARGE above 64 MB, BAD_PARAM when it breaks off or takes too long. */
export async function readBody(request: Request): Promise<Uint8Array<ArrayBuffer>> {
  const announced = Number(request.headers.get('content-length') ?? 0)
  if (announced > LIMITS.bodyBytes) throw new ServiceError('PHOTO_TOO_LARGE')
  if (!request.body) return new Uint8Array()
  const reader = request.body.getReader()
  const deadline = arrival()
  try {
    return await collect(reader, deadline.passed)
  } finally {
    deadline.clear()
    // Not awaited: a sender that never ends must not hold the answer up.
    reader.cancel().catch(() => {})
  }
}

async function collect(
  reader: ReadableStreamDefaultReader<Uint8Array>,
  late: Promise<never>,
): Promise<Uint8Array<ArrayBuffer>> {
  const chunks: Uint8Array[] = []
  let size = 0
  for (;;) {
    const { done, value } = await Promise.race([reader.read().catch(brokenOff), late])
    if (done) return joined(chunks, size)
    size += value.length
    if (size > LIMITS.bodyBytes) throw new ServiceError('PHOTO_TOO_LARGE')
    chunks.push(value)
  }
}

function arrival(): { passed: Promise<never>; clear: () => void } {
  let timer: ReturnType<typeof setTimeout>
  const passed = new Promise<never>((_, reject) => {
    const late = () => reject(badParam('body', '', 'The body did not arrive in time.'))
    timer = setTimeout(late, LIMITS.bodyArrivalMs)
  })
  return { passed, clear: () => clearTimeout(timer) }
}

const brokenOff = (cause: unknown): never => {
  throw new ServiceError('BAD_PARAM', { param: 'body', value: '', reason: 'The body broke off.' }, { cause })
}

function joined(chunks: readonly Uint8Array[], size: number): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(size)
  let at = 0
  for (const chunk of chunks) {
    bytes.set(chunk, at)
    at += chunk.length
  }
  return bytes
}
