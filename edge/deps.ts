/** What routes are given: everything they need beyond the request, built once per isolate. */
import type { Admission } from './admission.ts'
import type { Core } from './core-client.ts'
import type { SwaggerUi } from './documents/page.ts'
import type { Faces } from './faces.ts'
import type { Authenticate } from './tokens.ts'

export interface Deps {
  admission: Admission
  authenticate: Authenticate
  core: Core
  faces: Faces
  /** The origin that links in answers name, or "" for the origin of the request. */
  publicUrl: string
  /** What the interactive pages are made of. */
  swaggerUi: SwaggerUi
}
