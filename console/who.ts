/** The person of a face: a name, and the certainty. Both come from the service: the page compares no numbers. */
import type { AlertData, Face, Match } from '../clients/typescript/src/index.ts'
import { ownName } from './person-names.ts'
import { TEXTS } from './texts.ts'

/** `weak`: the service compared the face, and is not sure. */
type Certainty = NonNullable<Match['verdict']> | 'weak'

export interface Who {
  name: string
  /** Undefined for a name that the service has not compared: a user gave it. */
  certainty?: Certainty
}

/** In one sentence. Undefined stands for a face of an unknown person. */
export function whoText(who: Who | undefined): string {
  if (!who) return TEXTS.who.unknown
  return who.certainty ? TEXTS.who.sentences[who.certainty](who.name) : who.name
}

/** The person of a stored face, or its candidate; `who` of the face was asked for. */
export function whoOfFace({
  meta,
  who,
  candidate,
}: Pick<Face, 'meta' | 'who' | 'candidate'>): Who | undefined {
  if (candidate) return { name: nameOfPerson(candidate.person), certainty: 'probable' }
  if (!who) return meta === '' ? undefined : { name: meta }
  const name = ownName(who.person) || meta
  if (name === '') return { name: nameOfPerson(who.person) }
  return { name, certainty: who.verdict ?? 'weak' }
}

const nameOfPerson = (person: NonNullable<Face['who']>['person']) =>
  ownName(person) || TEXTS.who.unnamed(person.id)

/** The person of a gallery that an alert names. Undefined for none. */
export function whoOfAlert({ matches: [match] = [] }: Pick<AlertData, 'matches'>): Who | undefined {
  return match && whoOfMatch(match)
}

/** The id of the person of a candidate; undefined for a face without one. */
export function personOfMatch({ person, face }: Match): number | undefined {
  return person?.id ?? (typeof face.person_id === 'number' ? face.person_id : undefined)
}

/** A candidate of a search. */
export const whoOfMatch = (match: Match): Who => ({
  name: nameOfMatch(match),
  certainty: match.verdict ?? 'weak',
})

/** The name of a candidate of a search. */
export const nameOfMatch = ({ face, person }: Match): string =>
  (person && ownName(person)) || face.meta || TEXTS.who.nameless(person?.id ?? face.person_id)
