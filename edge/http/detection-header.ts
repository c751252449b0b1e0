/** The response header that says when a photo had more to examine for faces than the time budget allows. */

/** For the documentation of operations that search photos for faces. */
export const DETECTION_HEADERS = {
  'X-Detection':
    '`limited`: the photo has more places that may show small faces than are examined in one request. Small faces may be missing. ' +
    'Send parts of the photo, or name the faces by their boxes. Absent if everything was examined.',
} as const

/** The header for an answer that rests on these photos. */
export const detectionHeader = (
  ...photos: readonly { readonly limited: boolean }[]
): Record<string, string> => (photos.some(({ limited }) => limited) ? { 'x-detection': 'limited' } : {})
