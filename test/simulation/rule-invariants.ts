/** What must hold of the messages of rules, after all faults. */
import type { Database } from '#core/metadata/database.ts'
import { Violation } from './client.ts'
import type { Received } from './cluster.ts'
import type { KnownRule, OwnerModel } from './model.ts'

/** Throws Violation for a message that is missing, foreign, late or sent for two events. */
export async function expectRules(
  owner: OwnerModel,
  database: Database,
  received: readonly Received[],
): Promise<void> {
  for (const rule of owner.rules) {
    const messages = received.filter(({ url }) => url === rule.url)
    const byFace = Map.groupBy(messages, ({ message }) => message.data.face?.id ?? -1)
    for (const [face, list] of byFace)
      if (new Set(list.map(({ id }) => id)).size > 1 + (owner.faces.get(face)?.updates ?? 0))
        throw new Violation(`rule ${rule.url} tells face ${face} twice`)
    for (const { message } of messages)
      if (!owner.requests.has(message.data.face?.photo ?? ''))
        throw new Violation(`${rule.url} gets a foreign face`)
    if (!owner.namesPersons) expectOrder(owner, rule, messages)
    if (rule.mayGoSince === undefined) await expectAll(owner, rule, database, byFace)
  }
}

/** Messages about one person come in the order of their events. */
function expectOrder(owner: OwnerModel, rule: KnownRule, messages: readonly Received[]): void {
  const accepted = new Set<string>()
  const last = new Map<number, number>()
  for (const { id, message, isAccepted } of messages) {
    const colour = owner.faces.get(message.data.face?.id ?? -1)?.colour ?? -1
    if (colour < 0 || message.data.face?.person_id === undefined || accepted.has(id)) continue
    const number = Number(id.slice(4))
    if ((last.get(colour) ?? 0) > number) throw new Violation(`${rule.url}: ${id} comes late`)
    if (!isAccepted) continue
    accepted.add(id)
    last.set(colour, number)
  }
}

/** Faces that were enrolled after the rule was acknowledged have a message each, earlier ones have none. */
async function expectAll(
  owner: OwnerModel,
  rule: KnownRule,
  database: Database,
  byFace: ReadonlyMap<number, Received[]>,
): Promise<void> {
  const { rows } = await database.run(
    `SELECT face FROM deliveries WHERE alert = '${rule.id}' AND state = 'failed'`,
  )
  const failed = new Set(rows.map(row => Number(row.face)))
  for (const { id, request, updates, camera, mayGoSince } of owner.faces.values()) {
    const isTold = byFace.has(id)
    if (isTold && updates === 0 && (camera === undefined || request.end < rule.start))
      throw new Violation(`${rule.url} gets face ${id} from before the rule`)
    const isDue = rule.isOfAll && camera !== undefined && request.start > rule.end && mayGoSince === undefined
    if (isDue && !failed.has(id) && !byFace.get(id)?.some(({ isAccepted }) => isAccepted))
      throw new Violation(`${rule.url} has no message about face ${id}`)
  }
}
