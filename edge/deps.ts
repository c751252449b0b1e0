/** What routes are given: everything they need beyond the request, built once per isolate. */
import type { Admission } from './admission/admission.ts'
import type { Authenticate } from './admission/tokens.ts'
import type { Core } from './core-client/core-client.ts'
import type { SwaggerUi } from './openapi/swagger-page.ts'
import type { PhotoAnalyzer } from './vision/photo-analyzer.ts'

export interface EdgeServices {
  admission: Admission
  authenticate: Authenticate
  core: Core
  faces: PhotoAnalyzer
  /** The origin that links in answers name, or "" for the origin of the request. */
  publicUrl: string
  /** X-Forwarded-Proto and X-Forwarded-Host come from a trusted proxy, see origin.ts. */
  trustForwarded: boolean
  /** Origins whose web pages may read answers; `*` for any. None when absent. */
  corsOrigins?: readonly string[]
  /** Takes work that may outlast the request it comes from. */
  background?: (work: Promise<void>) => void
  /** What the interactive pages are made of. */
  swaggerUi: SwaggerUi
}
