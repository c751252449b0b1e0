/** The edge worker's entry: bindings parsed once, dependencies built once per isolate. */

import { waitUntil } from 'cloudflare:workers'
import style from 'swagger-ui-dist/swagger-ui.css'
import script from 'swagger-ui-dist/swagger-ui-bundle.js'
import { decodeEyes } from '../models/vision-file.ts'
import { codecs } from '../wasm/decode/codecs.workerd.ts'
import { openEyes } from '../wasm/pipeline.ts'
import { openRuntime } from '../wasm/runtime/runtime.workerd.ts'
import { admission } from './admission/admission.ts'
import { authenticator } from './admission/tokens.ts'
import { createApp } from './app.ts'
import eyesFile from './built/pack.eyes'
import { coreClient } from './core-client/core-client.ts'
import { distrustLog } from './core-client/trust-log.ts'
import { parseEnv } from './env.ts'
import { log } from './log.ts'
import { looks } from './vision/inference-scheduler.ts'
import { facesOf, MEANS } from './vision/photo-analyzer.ts'

let app: ReturnType<typeof createApp> | undefined

export default {
  fetch(request: Request, bindings: unknown, context: ExecutionContext): Promise<Response> {
    app ??= build(bindings)
    const answer = Promise.resolve(app.fetch(request, bindings as object, context))
    // Also when its caller has gone, a request comes to its end, and gives back what it holds.
    context.waitUntil(answer)
    return answer
  },
}

function build(bindings: unknown) {
  const env = parseEnv(bindings)
  const { label, pack, read } = decodeEyes(new Uint8Array(eyesFile))
  const core = coreClient({
    cores: env.cores,
    answerMs: env.CORE_ANSWER_MS,
    embedder: label,
    through: env.CORE,
    background: waitUntil,
    onChange: (url, isClosed) =>
      log({ event: isClosed ? 'core back' : 'core away', core: new URL(url).host }),
    onDistrust: distrustLog(log),
  })
  const gate = admission()
  const turns = looks(MEANS.budget)
  const open = async () => openEyes(turns.inPieces(await openRuntime()), codecs, read, pack)
  return createApp({
    admission: gate,
    authenticate: authenticator({
      core,
      trustedMs: env.TOKEN_TRUSTED_MS,
      rateLimiter: env.RATE_LIMITER,
    }),
    core,
    faces: facesOf(core, turns, open),
    publicUrl: env.PUBLIC_URL.replace(/\/$/, ''),
    trustForwarded: env.TRUST_FORWARDED,
    corsOrigins: env.CORS_ORIGINS,
    background: waitUntil,
    swaggerUi: { script, style },
  })
}
