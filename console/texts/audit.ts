/** What the audit log says: who did what, in one sentence. */

/** What was done, by the action of an entry. */
export const ACTIONS: Readonly<Record<string, string>> = {
  'alert.create': 'made an alert rule',
  'alert.delete': 'deleted an alert rule',
  'alert.gone': 'turned an alert rule off, because its receiver is gone',
  'alert.seen': 'marked an alert',
  'alert.secret': 'replaced the secret of an alert rule',
  'alert.test': 'tested an alert rule',
  'alert.update': 'changed an alert rule',
  'audit.prune': 'deleted old entries of this log',
  'authentication.failed': 'was refused',
  'calibration.off': 'turned the calibration of this site off',
  'calibration.on': 'calibrated the service for this site',
  'camera.create': 'added a camera',
  'camera.delete': 'deleted a camera',
  'camera.update': 'changed a camera',
  compare: 'compared faces',
  'delivery.retry': 'sent an alert again',
  enrol: 'enrolled faces',
  'evidence.export': 'exported evidence',
  'evidence.key': 'made a new key that signs evidence',
  'face.delete': 'deleted a face',
  'face.update': 'changed a face',
  'face.moment': 'stored a snapshot or a clip',
  'faces.delete': 'deleted faces that were kept long enough',
  'faces.delete-with-meta': 'deleted the faces of a name',
  'faces.page': 'looked at a list of faces',
  'faces.with-meta': 'looked at the faces of a name',
  'gallery.create': 'made a gallery',
  'gallery.delete': 'deleted a gallery',
  'gallery.update': 'changed how long a gallery keeps faces',
  'history.search': 'looked at the events of cameras',
  identify: 'searched for somebody',
  'models.reembed': 'measured all faces again, for another network',
  'notifications.subscribe': 'asked for notifications',
  'notifications.unsubscribe': 'ended notifications',
  'owner.delete': 'deleted an owner',
  'owner.gone': 'deleted the last data of an owner',
  'passkey.delete': 'removed a passkey',
  'person.delete': 'deleted a person',
  'person.get': 'looked at a person',
  'person.history': 'looked at where a person was seen',
  'person.merge': 'merged persons',
  'person.split': 'split a person',
  'person.summary': 'looked at a person',
  'person.update': 'named a person',
  'persons.group': 'grouped stored faces',
  'persons.grouped': 'finished grouping faces',
  'secrets.made-anew': 'made lost secrets again',
  'session.create': 'signed in',
  'session.end': 'ended a session',
  'settings.update': 'changed a setting',
  'backup.request': 'asked for a backup',
  'store.backup.request': 'passed on a request for a backup',
  'store.backup': 'began a backup',
  'store.backup.done': 'finished a backup',
  'store.backup.failed': 'could not finish a backup',
  'store.drill.done': 'tried a backup',
  'store.move': 'moved a gallery',
  'store.repair': 'repaired the store',
  'token.create': 'made a token',
  'token.revoke': 'revoked a token',
  'token.rotate': 'replaced a token',
  'user.delete': 'took access away from somebody',
  'user.invite': 'invited somebody',
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
