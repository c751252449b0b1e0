/** The audit log in responses: entries of one owner, and the verification of the chain of all entries. */
import * as z from 'zod'
import { Natural, Positive } from '../scalars.ts'

/** An entry. Names of galleries and cameras, and texts of callers, are not in the log. */
export const AuditEntrySchema = z
  .strictObject({
    seq: Positive.describe('Number in the log of the installation. The numbers of one owner have gaps.'),
    time: z.string(),
    actor: z
      .string()
      .describe('`token` and an id, `user` with an id and a name, `operator` for a command, or `service`.'),
    action: z.string(),
    subject: z
      .record(z.string(), z.union([z.string(), z.number(), z.boolean(), z.array(z.number())]))
      .describe('Ids, counts and fixed words.'),
    names: z
      .record(z.string(), z.string())
      .optional()
      .describe(
        'What ids are called now, by their name in `subject`, and the token in `actor`. Not in the log.',
      ),
  })
  .meta({ id: 'AuditEntry' })
export type AuditEntry = z.infer<typeof AuditEntrySchema>

/** How far the chain is verified. */
export const AuditVerificationSchema = z
  .strictObject({
    intact: z.boolean().describe('False when an entry was changed or is missing.'),
    verified_from: Natural.describe('The first verified entry. Older ones were pruned. 0: no entry.'),
    verified_to: Natural.describe('The last verified entry.'),
    last: Natural.describe('The newest entry. Greater than `verified_to` until all are verified.'),
    since: z.string().describe('Start of this verification.'),
    fault: z.string().optional().describe('The first fault.'),
  })
  .meta({ id: 'AuditVerification' })
export type AuditVerification = z.infer<typeof AuditVerificationSchema>
