/** Who the faces of a photo are: candidates, one for each person. */
import type {
  Box,
  IdentifyAnswer,
  IdentifyParameters,
  Match,
  MienClient,
} from '../../clients/typescript/src/index.ts'
import { entryAt } from '../photos/photo.ts'
import { nameOfMatch } from '../who.ts'

/** A person, or faces with one meta that have no person. */
export interface Candidate extends Match {
  key: string
  name: string
}

/** Answers of the searches for persons, and for faces. */
export interface Identification {
  persons: IdentifyAnswer | undefined
  faces: IdentifyAnswer
}

/** Weak candidates, too: one stranger in ten has one. The service says which candidates are certain or probable. */
export const SEARCH = { mf_selector: 'all', fpir: 0.1, n: 10 } as const satisfies IdentifyParameters

/** Searches for persons where there are any, and for faces, which may have no person. */
export async function identifyAll(
  client: MienClient,
  photo: File,
  { gallery, signal }: { gallery: string; signal: AbortSignal },
): Promise<Identification> {
  const hasPersons = (await client.persons.summaries({ pageSize: 1 }, { signal }).toArray(1)).length > 0
  const search = { ...SEARCH, gallery }
  const [persons, faces] = await Promise.all([
    hasPersons ? client.identify(photo, { ...search, target: 'persons' }, { signal }) : undefined,
    client.identify(photo, search, { signal }),
  ])
  return { persons, faces }
}

/** The candidates for a face. `best` is the best certain or probable candidate. */
export interface Identity {
  candidates: Candidate[]
  best: Candidate | undefined
  /** The person that the visitor has denied. */
  denied?: number
}

/**
 * The identities of the faces of a photo. Undefined for a face that the search left out. Two faces are two people: a person who is
 * certain for one face is not probable for another. Faces without a name and a person are left out.
 */
export function identitiesOf(
  identification: Identification,
  faces: readonly Box[],
): (Identity | undefined)[] {
  const found = faces.map(face => candidatesFor(identification, face))
  const certain = new Set(
    found
      .flatMap(theirs => theirs?.filter(({ verdict }) => verdict === 'certain') ?? [])
      .map(({ key }) => key),
  )
  const isBest = ({ key, verdict, person, face }: Candidate) =>
    (person !== undefined || face.person_id !== undefined || face.meta !== '') &&
    (verdict === 'certain' || (verdict === 'probable' && !certain.has(key)))
  return found.map(candidates => candidates && { candidates, best: candidates.find(isBest) })
}

/** One for each person, by descending confidence. */
function candidatesFor({ persons, faces }: Identification, face: Box): Candidate[] | undefined {
  const matches = entryAt(faces.results, face)
  if (!matches) return undefined
  const ofPersons = (persons && entryAt(persons.results, face)) ?? []
  const ofFaces = matches.filter(match => !persons || typeof match.face.person_id !== 'number')
  const candidates = new Map<string, Candidate>()
  for (const match of [...ofPersons, ...ofFaces].sort((a, b) => b.confidence - a.confidence)) {
    const key = keyOf(match)
    if (!candidates.has(key)) candidates.set(key, { ...match, key, name: nameOfMatch(match) })
  }
  return [...candidates.values()]
}

/** Equal for the faces of one person. */
function keyOf({ person, face: { id, meta, person_id } }: Match) {
  const owner = person?.id ?? person_id
  return owner !== undefined ? `person ${owner}` : meta !== '' ? `meta ${meta}` : `face ${id}`
}
