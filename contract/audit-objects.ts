/** Objects by which the audit log is filtered. The console reads this file: it imports no schemas. */

/** Objects of the filter of the audit log, and the words of subjects that have their ids. */
export const AUDIT_OBJECTS: Readonly<Record<string, readonly string[]>> = {
  person: ['person', 'persons', 'to', 'not person'],
  face: ['face', 'faces'],
  camera: ['camera'],
  gallery: ['gallery', 'galleries'],
  user: ['user'],
  token: ['token', 'next'],
  alert: ['alert'],
}
