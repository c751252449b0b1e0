/** Messages without an operation of the API: the edge needs them for operations of several subjects. */
import * as z from 'zod'
import { OwnerId } from '../model/gallery.ts'
import { SelectionSchema } from '../model/selector.ts'
import { ScopeSchema, TokenHash, TokenId } from '../model/token.ts'
import { call, ownedCall } from './message.ts'
import { PhotoAnalysisSchema } from './photo-analysis.ts'

export const INTERNAL_MESSAGES = {
  /** Checks that this core is ready. SERVICE_UNAVAILABLE when it is not. */
  ready: call('ready', { request: {}, response: {} }),

  /**
   * Looks up a token: its owner, its scope, and whether attributes are on (`gae`). The edge may cache the response for
   * `trustMs` from the time of its request; 0 is for one request only. AUTH_FAILED for an unknown token; RATE_LIMITED.
   */
  caller: call('caller', {
    request: { tokenHash: TokenHash },
    response: {
      owner: OwnerId,
      token: TokenId,
      scope: ScopeSchema,
      gae: z.boolean(),
      trustMs: z.int().min(0),
    },
  }),

  /** The networks that edges use, of core's pack. Blob of the response: the vision file (models/vision-file.ts). */
  packVision: call('pack.vision', { request: {}, response: {} }),

  /** Fetches a photo from a public URL. Counts to the owner's concurrent fetches. Blob of the response: the photo file. */
  photoFetch: ownedCall('photo.fetch', { request: { url: z.string() }, response: {} }),

  /** Analyses a photo that is too large for the edge. Blob of the request: the photo file. */
  photoAnalyze: call('photo.analyze', {
    request: { selection: SelectionSchema.optional(), param: z.string() },
    response: PhotoAnalysisSchema.shape,
  }),
}
