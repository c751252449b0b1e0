/** Dependencies of the routes, built once per isolate. */
import type { Admission } from './admission/admission.ts'
import type { Authenticate } from './admission/tokens.ts'
import type { Core } from './core-client/core-client.ts'
import type { EdgeMetrics } from './metrics.ts'
import type { SwaggerUi } from './openapi/swagger-page.ts'
import type { PhotoAnalyzer } from './vision/photo-analyzer.ts'

export interface EdgeServices {
  admission: Admission
  authenticate: Authenticate
  core: Core
  faces: PhotoAnalyzer
  metrics: EdgeMetrics
  /** Whether each request has a log line. Refusals always have one. */
  logsRequests: boolean
  /** Origin of links in responses. "" selects the origin of the request. */
  publicUrl: string
  /** X-Forwarded-Proto and X-Forwarded-Host come from a trusted proxy. See http/origin.ts. */
  trustForwarded: boolean
  /** Origins whose web pages may read responses; `*` allows any origin. Absent: none. */
  corsOrigins?: readonly string[]
  /** Runs a task that may outlast its request. */
  background?: (work: Promise<void>) => void
  /** Assets of the interactive documentation pages. */
  swaggerUi: SwaggerUi
  /** Texts of the console's files by name: `index.html`, and a script and a style sheet with a hash in their names. */
  consoleFiles: Readonly<Record<string, string>>
  /** Sample photos of the console by name. */
  consolePhotos: Readonly<Record<string, ArrayBuffer>>
  /** Reads a static asset. Rejects for an unknown name. */
  readAsset: (name: string) => Promise<Uint8Array<ArrayBuffer>>
}
