/** Colours of states in a terminal. Node leaves them out without a terminal, and with NO_COLOR. */
import { styleText } from 'node:util'

/** How good a state is. */
export type Grade = 'ok' | 'note' | 'warning' | 'problem'

const COLOURS = { ok: 'green', note: 'cyan', warning: 'yellow', problem: 'red' } as const

/** The text in the colour of the grade, for standard output. */
export const coloured = (grade: Grade, text: string): string =>
  styleText(COLOURS[grade], text, { stream: process.stdout })
