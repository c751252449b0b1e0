/** The finished photos of a job, in memory: about 200 bytes each. */
import type { JobLine } from './job-file.ts'
import { type Counts, noCounts, OUTCOME_NAMES, OUTCOMES } from './outcome.ts'
import { type PhotoNames, photoId } from './photo.ts'

export interface FinishedPhotos {
  /** Records a line. `isVisited`: the line is of this run. */
  add(line: JobLine, isVisited?: boolean): void
  /** Whether the photo needs no request. Marks it as part of the list. */
  visit(photo: PhotoNames): boolean
  /** Reserves the enrolment of a photo. False if another file has it. */
  claim(photo: PhotoNames): boolean
  /** Number of photos that need no request. */
  finished(): number
  /**
   * Photos by outcome. `visitedOnly`: only photos of the list as it is now. After a replaced photo, the job has a line of the
   * old one, too.
   */
  counts(visitedOnly: boolean): Counts
  /** Number of photos that resemble a face with another meta. */
  similar(visitedOnly: boolean): number
  /** Whether a line of the job file is the last word on its photo. */
  isCurrent(line: JobLine, visitedOnly: boolean): boolean
}

/** A state: index of the outcome, and flags. */
const FLAG_VISITED = 16
const FLAG_SIMILAR = 32
const OUTCOME_MASK = 15

export function finishedPhotos(): FinishedPhotos {
  /** States by the ids of photos. */
  const states = new Map<string, number>()
  /** Keys of photos that are enrolled or under way. */
  const claimed = new Set<string>()
  const outcomeOf = (state: number) => OUTCOME_NAMES[state & OUTCOME_MASK]!
  const isCounted = (state: number, visitedOnly: boolean) => !visitedOnly || (state & FLAG_VISITED) > 0

  return {
    add(line, isVisited = false) {
      const flags = (isVisited ? FLAG_VISITED : 0) | (line.similar ? FLAG_SIMILAR : 0)
      states.set(photoId(line.key, line.name), OUTCOME_NAMES.indexOf(line.outcome) | flags)
      if (line.outcome === 'enrolled') claimed.add(line.key)
    },
    visit({ id }) {
      const state = states.get(id)
      if (state === undefined) return false
      states.set(id, state | FLAG_VISITED)
      return OUTCOMES[outcomeOf(state)].isFinal
    },
    claim({ key }) {
      if (claimed.has(key)) return false
      claimed.add(key)
      return true
    },
    finished() {
      let count = 0
      for (const state of states.values()) if (OUTCOMES[outcomeOf(state)].isFinal) count++
      return count
    },
    counts(visitedOnly) {
      const counts = noCounts()
      for (const state of states.values()) if (isCounted(state, visitedOnly)) counts[outcomeOf(state)]++
      return counts
    },
    similar(visitedOnly) {
      let count = 0
      for (const state of states.values()) if (isCounted(state, visitedOnly) && state & FLAG_SIMILAR) count++
      return count
    },
    isCurrent(line, visitedOnly) {
      const state = states.get(photoId(line.key, line.name))
      return state !== undefined && isCounted(state, visitedOnly) && outcomeOf(state) === line.outcome
    },
  }
}
