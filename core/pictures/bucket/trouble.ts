/** What goes wrong with a bucket, in words that a log may have. */

export class BucketError extends Error {
  override readonly name = 'BucketError'
  /** The answer's status and S3's own code, as in `403 AccessDenied`; `silent` without an answer, `busy` if nothing was asked. */
  readonly code: string
  /** Nothing is wrong with the request: the same may succeed later. */
  readonly passing: boolean

  constructor(code: string, passing: boolean, options?: ErrorOptions) {
    super(code, options)
    this.code = code
    this.passing = passing
  }
}

/** Too many requests, and whatever S3 calls a request that came too slowly. */
const PASSING = /^(408|429|5\d\d|400 RequestTimeout)( |$)/

/** For an answer that is none that was hoped for. Of what it says the code alone is taken: the rest may repeat the keys. */
export function refusalOf(status: number, body: Uint8Array): BucketError {
  const [, said = ''] = /<Code>([A-Za-z]{1,64})<\/Code>/.exec(new TextDecoder().decode(body)) ?? []
  const code = `${status} ${said}`.trim()
  return new BucketError(code, PASSING.test(code))
}
