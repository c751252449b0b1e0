/** Headers of the messages between edge and core. contract/metrics.ts has the header of metrics. */

/**
 * Version of this program's messages. `npm run messages` keeps the messages of the last release, whose version is one less. Messages
 * of a version only add to the messages of the last release.
 */
export const RPC_VERSION = 2

/** Version of an edge that sends none: an edge of 0.2.0. */
const UNNAMED_VERSION = 1

/** Header of requests and of responses: the version of the sender. */
export const VERSION_HEADER = 'x-mien-rpc'

/** The version in a header. 0 for a text that is not a version. */
export function versionIn(header: string | null | undefined): number {
  if (header === null || header === undefined) return UNNAMED_VERSION
  return /^[1-9]\d{0,5}$/.test(header) ? Number(header) : 0
}

/** Request header: label of the chips that the edge makes (core/embedding/label.ts). */
export const EMBEDDER_HEADER = 'x-mien-embedder'

/** Response header of a draining core. The request was not executed. */
export const DRAINING_HEADER = 'x-mien-going'
