/** The application of an edge without a core. */
import { admission } from '#edge/admission/admission.ts'
import { createApp } from '#edge/app.ts'
import type { EdgeServices } from '#edge/edge-services.ts'
import { edgeMetrics } from '#edge/metrics.ts'

/** An app with these services. All others are services of an isolate whose callers have all rights. */
export const appWith = (services: object) =>
  createApp({
    admission: admission(),
    metrics: edgeMetrics({ load: () => ({ active: 0, waiting: 0 }) }),
    logsRequests: false,
    authenticate: async () => ({ owner: 'acme', scope: 'admin', token: '0123456789ab' }),
    ...services,
  } as unknown as EdgeServices)
