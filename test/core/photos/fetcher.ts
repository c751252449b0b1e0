/** A fetcher of photos for tests in which the owner does not matter. */
import { type FetchOptions, photoFetcher } from '../../../core/photos/fetch.ts'
import { OWNER } from '../operations/samples.ts'

export function fetcherOf(options: FetchOptions = {}): (url: string) => Promise<Uint8Array> {
  const fetchPhoto = photoFetcher(options)
  return url => fetchPhoto(url, OWNER)
}
