/** RPC operations on alert rules and their deliveries. See operations.ts. */
import * as z from 'zod'
import { LIMITS } from '../limits.ts'
import {
  AlertId,
  AlertSchema,
  AlertSettingsSchema,
  DeliveryId,
  DeliverySchema,
  DeliveryStateSchema,
  NewSecretSchema,
  SetAlertSchema,
} from '../model/alert.ts'
import { changing, empty, owned } from './fields.ts'

const AlertAnswer = z.strictObject({ alert: AlertSchema })
const SetAlertAnswer = z.strictObject({ alert: SetAlertSchema })
const DeliveryAnswer = z.strictObject({ delivery: DeliverySchema })

/** Settings, and the start of links to pictures in messages. */
const given = { alert: AlertSettingsSchema, origin: z.string() }

/** Schemas of the request (`question`) and of the response (`answer`). */
export const ALERT_OPERATIONS = {
  /** Creates a rule for events from now on. BAD_PARAM for an unknown gallery, an unfit URL, and too many rules. */
  'alert.create': {
    question: z.strictObject({ ...changing, ...given }),
    answer: SetAlertAnswer,
  },
  'alert.get': { question: z.strictObject({ ...owned, id: AlertId }), answer: AlertAnswer },
  /** All rules, oldest first. */
  'alerts.list': {
    question: z.strictObject(owned),
    answer: z.strictObject({ alerts: z.array(AlertSchema) }),
  },
  /** Replaces all settings. */
  'alert.update': {
    question: z.strictObject({ ...changing, id: AlertId, ...given }),
    answer: SetAlertAnswer,
  },
  /** Deletes a rule with its deliveries. */
  'alert.delete': { question: z.strictObject({ ...changing, id: AlertId }), answer: empty },
  /** Adds a secret. Those before it are used for LIMITS.webhookSecretMs. */
  'alert.secret': { question: z.strictObject({ ...changing, id: AlertId }), answer: NewSecretSchema },
  /** Adds a message without a face to the outbox. */
  'alert.test': { question: z.strictObject({ ...changing, id: AlertId }), answer: DeliveryAnswer },
  /** One page of deliveries in descending order of their ids. */
  'deliveries.page': {
    question: z.strictObject({
      ...owned,
      id: AlertId,
      state: DeliveryStateSchema.optional(),
      maxId: DeliveryId.optional(),
      limit: z.int().min(1).max(LIMITS.pageSize),
    }),
    answer: z.strictObject({ deliveries: z.array(DeliverySchema), older: z.boolean() }),
  },
  /** Sends a failed delivery again. BAD_PARAM for one in another state. */
  'delivery.retry': {
    question: z.strictObject({ ...changing, id: AlertId, delivery: DeliveryId }),
    answer: DeliveryAnswer,
  },
} as const
