/** Detection with the details that the service offers. */
import {
  type DetectAnswer,
  type DetectParameters,
  type MienClient,
  MienError,
} from '../../clients/typescript/src/index.ts'

const ATTRIBUTES = { age: true, gender: true, emotions: true }

/** Parameters of a detection. `hasAttributes`: the service recognises age, gender and emotions. */
export const detectParameters = (hasAttributes: boolean): DetectParameters => ({
  quality: true,
  liveness: true,
  ...(hasAttributes ? ATTRIBUTES : {}),
})

export interface Detection extends DetectAnswer {
  hasAttributes: boolean
}

/** Detects with age, gender and emotions, and without them where the service refuses them. */
export async function detectWithDetails(
  client: MienClient,
  photo: File,
  signal: AbortSignal,
): Promise<Detection> {
  const detect = async (hasAttributes: boolean): Promise<Detection> => ({
    ...(await client.detect(photo, detectParameters(hasAttributes), { signal })),
    hasAttributes,
  })
  try {
    return await detect(true)
  } catch (error) {
    if (isRefusedAttribute(error)) return detect(false)
    throw error
  }
}

const isRefusedAttribute = (error: unknown): boolean =>
  error instanceof MienError && error.code === 'BAD_PARAM' && (error.param ?? '') in ATTRIBUTES
