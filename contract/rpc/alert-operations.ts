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
import { change, changing, empty, owned } from './fields.ts'

const AlertAnswer = z.strictObject({ alert: AlertSchema })
const SetAlertAnswer = z.strictObject({ alert: SetAlertSchema })
const DeliveryAnswer = z.strictObject({ delivery: DeliverySchema })

/** Settings, and the start of links to pictures in messages. */
const given = { alert: AlertSettingsSchema, origin: z.string() }

/** Schemas of the request (`question`) and of the response (`answer`). */
export const ALERT_OPERATIONS = {
  /** Creates a rule for events from now on. BAD_PARAM for an unknown gallery, an unfit URL, and too many rules. */
  'alert.create': change({
    question: z.strictObject({ ...changing, ...given }),
    answer: SetAlertAnswer,
    audit: (_, { alert }) => ({ alert: alert.id }),
  }),
  'alert.get': { question: z.strictObject({ ...owned, id: AlertId }), answer: AlertAnswer },
  /** All rules, oldest first. */
  'alerts.list': {
    question: z.strictObject(owned),
    answer: z.strictObject({ alerts: z.array(AlertSchema) }),
  },
  /** Replaces all settings. */
  'alert.update': change({
    question: z.strictObject({ ...changing, id: AlertId, ...given }),
    answer: SetAlertAnswer,
    audit: ({ id }) => ({ alert: id }),
  }),
  /** Deletes a rule with its deliveries. */
  'alert.delete': change({
    question: z.strictObject({ ...changing, id: AlertId }),
    answer: empty,
    audit: ({ id }) => ({ alert: id }),
    disk: 'frees',
  }),
  /** Adds a secret. Those before it are used for LIMITS.webhookSecretMs. */
  'alert.secret': change({
    question: z.strictObject({ ...changing, id: AlertId }),
    answer: NewSecretSchema,
    audit: ({ id }) => ({ alert: id }),
  }),
  /** Adds a message without a face to the outbox. */
  'alert.test': change({
    question: z.strictObject({ ...changing, id: AlertId }),
    answer: DeliveryAnswer,
    audit: ({ id }) => ({ alert: id }),
  }),
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
  'delivery.retry': change({
    question: z.strictObject({ ...changing, id: AlertId, delivery: DeliveryId }),
    answer: DeliveryAnswer,
    audit: ({ id, delivery }) => ({ alert: id, delivery }),
  }),
} as const
