/** Entries of the audit log, each in one sentence. */
import OPERATION_WORDS from './operation-words.json' with { type: 'json' }

/** Words for the actions of entries. */
export const ACTIONS: Readonly<Record<string, string>> = {
  ...OPERATION_WORDS,
  'alert.gone': 'turned an alert rule off, because its receiver is gone',
  'audit.prune': 'deleted old entries of this log',
  'authentication.failed': 'was refused',
  'calibration.off': 'turned the calibration of this site off',
  'calibration.on': 'calibrated the service for this site',
  'faces.delete': 'deleted faces whose retention ended',
  'models.reembed': 'measured all faces again, for another network',
  'owner.delete': 'deleted an owner',
  'owner.gone': 'deleted the last data of an owner',
  'persons.grouped': 'finished grouping faces',
  'secrets.made-anew': 'made new secrets for lost ones',
  'session.create': 'signed in',
  'store.backup.request': 'passed on a request for a backup',
  'store.backup': 'began a backup',
  'store.backup.done': 'finished a backup',
  'store.backup.failed': 'could not finish a backup',
  'store.drill.done': 'restored and compared a backup',
  'store.move': 'moved a gallery',
  'store.repair': 'repaired the store',
  'user.link': 'made a sign-in link',
}

/** Who did it: the name of a user, or which program, operator or part. */
export function actorText(actor: string, tokenName?: string): string {
  const [kind, id = '', ...name] = actor.split(' ')
  if (kind === 'user' && name.length > 0) return name.join(' ')
  if (kind === 'token') return tokenName === undefined ? `Token ${id}` : `Token “${tokenName}”`
  if (kind === 'operator') return ['The operator', id, ...name].join(' ').trim()
  return kind === 'service' ? 'The service' : actor
}

/** An action without a text, for example of a later version, is named itself. */
export const entryText = (actor: string, action: string, tokenName?: string): string =>
  `${actorText(actor, tokenName)} ${ACTIONS[action] ?? action}`
