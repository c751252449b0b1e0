/** Response header `X-Detection`: the time budget did not cover every place that may show small faces. */

/** Documentation of the header, for operations that detect faces. */
export const DETECTION_HEADERS = {
  'X-Detection':
    '`limited`: the photo has more places that may show small faces than are examined in one request. Small faces may be missing. ' +
    'Send parts of the photo, or name the faces by their boxes. Absent if everything was examined.',
} as const

/** The header of a response that uses these photos; empty when each photo was examined completely. */
export const detectionHeader = (
  ...photos: readonly { readonly limited: boolean }[]
): Record<string, string> => (photos.some(({ limited }) => limited) ? { 'x-detection': 'limited' } : {})
