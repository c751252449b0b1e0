/** The thread of tokens.ts: creates a token for each message. */
import { type MessagePort, workerData } from 'node:worker_threads'
import { createToken, type TokenRequest } from '#core/metadata/issue-tokens.ts'
import type { TokenReply } from './tokens.ts'

const { ready, port } = workerData as { ready: Int32Array; port: MessagePort }

port.on('message', async (request: TokenRequest) => {
  const reply: TokenReply = await createToken(request).then(
    token => ({ token }),
    (error: unknown) => ({ error: String(error) }),
  )
  port.postMessage(reply)
  Atomics.store(ready, 0, 1)
  Atomics.notify(ready, 0)
})
