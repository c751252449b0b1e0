/** Errors of a bucket, with codes that are safe to log. */

export class BucketError extends Error {
  override readonly name = 'BucketError'
  /**
   * HTTP status and S3 error code, for example `403 AccessDenied`; `silent` without a response; `busy` when nothing was
   * sent.
   */
  readonly code: string
  /** Whether the error is transient: the same request may succeed later. */
  readonly passing: boolean

  constructor(code: string, passing: boolean, options?: ErrorOptions) {
    super(code, options)
    this.code = code
    this.passing = passing
  }
}

/** Codes of transient errors: too many requests, server errors, and requests that arrived too slowly. */
const TRANSIENT = /^(408|429|5\d\d|400 RequestTimeout)( |$)/

/** The error for an unsuccessful response. Only the code of the body is used: the rest may contain the access key. */
export function refusalOf(status: number, body: Uint8Array): BucketError {
  const [, s3Code = ''] = /<Code>([A-Za-z]{1,64})<\/Code>/.exec(new TextDecoder().decode(body)) ?? []
  const code = `${status} ${s3Code}`.trim()
  return new BucketError(code, TRANSIENT.test(code))
}
