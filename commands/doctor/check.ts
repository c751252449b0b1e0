/** A check of `mien doctor`: its subject and its findings. */
import type { Ready } from '../terminal/ready-file.ts'
import type { Grade } from '../terminal/table.ts'

/** Subject of the checks. */
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
  /** Finding, as a sentence. */
  text: string
  /** Remedy for a warning or a problem, or, after a note, for a missing part. */
  remedy?: string
}

export type Check = (subject: Subject) => Promise<Finding>

export const ok = (text: string): Finding => ({ grade: 'ok', text })
export const note = (text: string, remedy: string): Finding => ({ grade: 'note', text, remedy })
export const warning = (text: string, remedy: string): Finding => ({ grade: 'warning', text, remedy })
export const problem = (text: string, remedy: string): Finding => ({ grade: 'problem', text, remedy })
