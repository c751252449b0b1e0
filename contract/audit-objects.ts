/** Objects by which the audit log is filtered. The console imports this file, so it has no schemas. */

/** The words of subjects that have the ids of an object. */
export const AUDIT_OBJECTS: Readonly<Record<string, readonly string[]>> = {
  person: ['person', 'persons', 'to', 'not person'],
  face: ['face', 'faces'],
  camera: ['camera'],
  gallery: ['gallery', 'galleries'],
  user: ['user'],
  token: ['token', 'next'],
  alert: ['alert'],
}
