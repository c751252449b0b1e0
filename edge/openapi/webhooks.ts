/** Describes the requests that the service sends to webhooks. */
import { ALERT_LIMITS } from '../../contract/limits/alerts.ts'
import type { Version } from '../../contract/operations/operation.ts'
import type { JsonSchema } from '../../contract/parameters/json-schema.ts'
import { alertMessageOf } from './examples.ts'

const header = (name: string, description: string): JsonSchema => ({
  name,
  in: 'header',
  required: true,
  description,
  schema: { type: 'string' },
})

/** The field `webhooks` of a document. `message` is the schema of a body. */
export const webhooksOf = (version: Version, message: JsonSchema): JsonSchema => ({
  alert: {
    post: {
      operationId: 'receiveAlert',
      tags: ['Alerts'],
      summary: 'Receive a message of an alert rule',
      description:
        'The service posts this to the `url` of a rule, signed by the Standard Webhooks specification. It repeats a message until it ' +
        `is taken, for ${ALERT_LIMITS.deliveryRetriesMs / 3_600_000} hours.`,
      security: [],
      parameters: [
        header('webhook-id', 'Equal in all attempts of a message, different for all messages.'),
        header('webhook-timestamp', 'When this attempt was made: Unix seconds.'),
        header('webhook-signature', 'Signatures by all current secrets, with spaces between them.'),
      ],
      requestBody: {
        required: true,
        content: { 'application/json': { schema: message, example: alertMessageOf(version) } },
      },
      responses: {
        '2XX': { description: 'The message is taken.' },
        '410': { description: 'The service disables the rule.' },
        default: { description: 'The service repeats the message.' },
      },
    },
  },
})
