/** A photo fetcher for tests in which the owner does not matter. */

import { OWNER } from '#bench/harness/sample-faces.ts'
import { type FetchOptions, photoFetcher } from '#core/photos/fetch.ts'

export function fetcherOf(options: FetchOptions = {}): (url: string) => Promise<Uint8Array> {
  const fetchPhoto = photoFetcher(options)
  return url => fetchPhoto(url, OWNER)
}
