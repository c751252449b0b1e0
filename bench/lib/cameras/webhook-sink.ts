/** A receiver of webhooks that can be cut off. It takes signed messages only. */
import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import { Webhook } from 'standardwebhooks'
import { AlertMessageSchema } from '#contract/model/alert.ts'

export interface WebhookSink {
  open(): Promise<void>
  /** Ends all connections and refuses new ones. */
  close(): void
  /** Messages whose signature was wrong. */
  unsigned(): number
}

/** `secret` returns that of the rule. */
export function webhookSink(
  port: number,
  secret: () => string,
  onFace: (face: number, id: string) => void,
): WebhookSink {
  let server: Server | undefined
  let unsigned = 0
  return {
    async open() {
      server = createServer(async (request, response) => {
        request.on('error', () => {})
        let body = ''
        try {
          for await (const part of request.setEncoding('utf8')) body += part
          new Webhook(secret()).verify(body, request.headers as Record<string, string>)
        } catch {
          if (request.complete) unsigned++
          return void response.writeHead(400).end()
        }
        const { face } = AlertMessageSchema.parse(JSON.parse(body)).data
        if (face) onFace(face.id as number, String(request.headers['webhook-id']))
        response.writeHead(204).end()
      })
      await once(server.listen(port, '127.0.0.1'), 'listening')
    },
    close() {
      server?.closeAllConnections()
      server?.close()
    },
    unsigned: () => unsigned,
  }
}
