/** Categories of photos in a report, those that need attention first. */
import type { JobLine } from '../job/job-file.ts'
import { OUTCOME_NAMES, OUTCOMES } from '../job/outcome.ts'

export interface Category {
  title: string
  has(line: JobLine): boolean
  /** Text that follows the file and meta of a photo in the report. */
  note(line: JobLine): string
}

/** `repeated`: hashes of photos that several rows have. */
export const categoriesOf = (repeated: ReadonlySet<string>): Category[] => [
  {
    title: 'Looks like somebody else',
    has: ({ similar }) => similar !== undefined,
    note: ({ similar }) =>
      similar ? `like ${similar.meta} (face ${similar.face}), confidence ${similar.confidence}` : '',
  },
  ...OUTCOME_NAMES.filter(name => !OUTCOMES[name].isDone).map(
    (name): Category => ({
      title: OUTCOMES[name].title,
      has: ({ outcome }) => outcome === name,
      note: ({ reason }) => reason ?? '',
    }),
  ),
  {
    title: 'Same photo twice',
    has: ({ hash }) => repeated.has(hash),
    note: ({ hash, outcome }) =>
      `photo ${hash.slice(0, 12)}: ${outcome === 'enrolled' ? 'enrolled' : 'not sent again'}`,
  },
  {
    title: OUTCOMES.enrolled.title,
    has: ({ outcome }) => outcome === 'enrolled',
    note: ({ faces }) => (faces?.length === 1 ? `face ${faces[0]}` : `${faces?.length} faces`),
  },
]
