/** A photo fetcher for tests in which the owner does not matter. */

import { type FetchOptions, photoFetcher } from '#core/photos/fetch.ts'
import { OWNER } from '#test/support/sample-faces.ts'

export function fetcherOf(options: FetchOptions = {}): (url: string) => Promise<Uint8Array> {
  const fetchPhoto = photoFetcher(options)
  return url => fetchPhoto(url, OWNER)
}
