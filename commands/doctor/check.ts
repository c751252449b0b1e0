/** A check of `mien doctor`: what it examines, and what it finds. */
import type { Ready } from '../terminal/ready-file.ts'
import type { Grade } from '../terminal/table.ts'

/** What the checks examine. */
export interface Subject {
  /** Absolute path of the data folder. */
  data: string
  /** False before the first start. */
  exists: boolean
  /** The running service of the folder; undefined while it is stopped. */
  ready: Ready | undefined
  env: NodeJS.ProcessEnv
}

export interface Finding {
  grade: Grade
  /** What was found, as a sentence. */
  text: string
  /** What to do about a warning or a problem, or, after a note, for what is missing. */
  remedy?: string
}

export type Check = (subject: Subject) => Promise<Finding>

export const ok = (text: string): Finding => ({ grade: 'ok', text })
export const note = (text: string, remedy: string): Finding => ({ grade: 'note', text, remedy })
export const warning = (text: string, remedy: string): Finding => ({ grade: 'warning', text, remedy })
export const problem = (text: string, remedy: string): Finding => ({ grade: 'problem', text, remedy })
