/** Entry point of the edge worker. Parses bindings and builds dependencies once per isolate. */
import { waitUntil } from 'cloudflare:workers'
import { decodeVisionFile } from '../models/vision-file.ts'
import { codecs } from '../wasm/decode/codecs.workerd.ts'
import { openVisionModels, type VisionModels } from '../wasm/pipeline.ts'
import { releasable } from '../wasm/runtime/runtime.ts'
import { openRuntime } from '../wasm/runtime/runtime.workerd.ts'
import { admission } from './admission/admission.ts'
import { authenticator } from './admission/tokens.ts'
import { createApp } from './app.ts'
import consoleFiles from './built/console.json'
import visionFile from './built/pack.vision'
import sample1 from './built/sample1.jpg'
import sample3 from './built/sample3.jpg'
import sample4 from './built/sample4.jpg'
import { coreClient } from './core-client/core-client.ts'
import { trustLog } from './core-client/trust-log.ts'
import { parseEnv } from './env.ts'
import { log } from './http/request-log.ts'
import { edgeMetrics } from './metrics.ts'
import { inferenceScheduler } from './vision/inference-scheduler.ts'
import { openedModels } from './vision/opened-models.ts'
import { DECODE_LIMITS, photoAnalyzer } from './vision/photo-analyzer.ts'

let app: ReturnType<typeof createApp> | undefined

export default {
  fetch(request: Request, bindings: unknown, context: ExecutionContext): Promise<Response> {
    app ??= build(bindings)
    const response = Promise.resolve(app.fetch(request, bindings as object, context))
    // Keep the request running after the caller disconnects: it must release its permit and memory.
    context.waitUntil(response)
    return response
  },
}

function build(bindings: unknown) {
  const env = parseEnv(bindings)
  const readAsset = async (name: string): Promise<Uint8Array<ArrayBuffer>> => {
    const response = await env.ASSETS?.fetch(`http://assets/${name}`)
    if (!response?.ok) throw new Error(`the static assets have no file ${name}`)
    return new Uint8Array(await response.arrayBuffer())
  }
  const { label, pack, read } = decodeVisionFile(new Uint8Array(visionFile), readAsset)
  const gate = admission()
  const metrics = edgeMetrics({ load: () => ({ active: gate.permits, waiting: gate.waiting }) })
  const scheduler = inferenceScheduler(DECODE_LIMITS.maxBytes)
  const open = async (): Promise<VisionModels> => {
    const { runtime, release } = releasable(await openRuntime())
    try {
      return await openVisionModels(scheduler.paced(runtime), codecs, read, pack)
    } catch (error) {
      await release()
      throw error
    }
  }
  const core = coreClient({
    metrics,
    cores: env.cores,
    answerMs: env.CORE_ANSWER_MS,
    embedder: label,
    through: env.CORE,
    background: waitUntil,
    onChange: (url, isClosed) =>
      log({ event: isClosed ? 'core available' : 'core unavailable', core: new URL(url).host }),
    onDistrust: trustLog(log),
  })
  return createApp({
    admission: gate,
    authenticate: authenticator({
      core,
      trustedMs: env.TOKEN_TRUSTED_MS,
      rateLimiter: env.RATE_LIMITER,
    }),
    core,
    faces: photoAnalyzer(core, scheduler, inferenceScheduler(0), openedModels(open)),
    metrics,
    logsRequests: env.LOG_REQUESTS,
    publicUrl: env.PUBLIC_URL.replace(/\/$/, ''),
    trustForwarded: env.TRUST_FORWARDED,
    corsOrigins: env.CORS_ORIGINS,
    background: waitUntil,
    swaggerUi: { script: () => readAsset('swagger-ui-bundle.js'), style: () => readAsset('swagger-ui.css') },
    consoleFiles,
    readAsset,
    consolePhotos: { 'sample1.jpg': sample1, 'sample3.jpg': sample3, 'sample4.jpg': sample4 },
  })
}
