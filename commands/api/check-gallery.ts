/** Checks a gallery through the API of the running service. */
import type { Finding } from '../../clients/typescript/src/index.ts'
import { countText } from '../../contract/counted.ts'
import { printJson } from '../terminal/command-line.ts'
import { clientOf } from '../terminal/connection.ts'
import { printTable } from '../terminal/table.ts'
import type { ServiceOptions } from './options.ts'

interface CheckOptions extends ServiceOptions {
  setAside?: boolean
}

/** Faces that a row of the table names. */
const SHOWN_FACES = 4

/** Prints the findings. Returns 1 when there are findings that stay. */
export async function checkGallery(options: CheckOptions, gallery: string): Promise<number> {
  const client = await clientOf(options)
  const findings = await client.galleries.check(gallery).toArray()
  if (!options.json) printTable(findings.map(rowOf), 'The check found nothing.')
  const aside = findings.filter(({ kind }) => options.setAside && kind === 'disagrees')
  for (const { faces } of aside)
    for (const { id } of faces) await client.faces.update(id, { review: 'set_aside' })
  if (options.json)
    printJson({ findings, set_aside: aside.flatMap(({ faces }) => faces.map(({ id }) => id)) })
  else if (aside.length > 0)
    console.log(
      `\n${countText(aside.length, 'face is', 'faces are')} set aside. PUT /face/id/ID with review=none takes one back.`,
    )
  return findings.length > aside.length ? 1 : 0
}

const WORDS: Record<Finding['kind'], string> = {
  disagrees: 'does not match the other photos of this person',
  divided: 'one person that looks like two',
  alike: 'two persons that look like one',
  poor: 'too poor to recognize',
  duplicate: 'the same picture twice',
}

function rowOf({ kind, confidence, quality, faces, persons }: Finding) {
  const [own, other] = persons.map(
    ({ person_id, meta }) => meta || (person_id === undefined ? '' : String(person_id)),
  )
  const ids = faces.slice(0, SHOWN_FACES).map(({ id }) => id)
  return {
    finding: WORDS[kind],
    person: own ?? '',
    'looks like': other ?? '',
    confidence: confidence ?? '',
    quality: quality ?? '',
    faces: `${ids.join(' ')}${faces.length > ids.length ? ` and ${faces.length - ids.length} more` : ''}`,
  }
}
