/** Options of the verbs that use the API: the service, the output, and photos. */
import { type Command, InvalidArgumentError, Option } from 'commander'
import { THRESHOLDS } from '../../contract/model/face.ts'
import { SELECTORS } from '../../contract/model/photo-analysis.ts'
import type { JsonOptions } from '../terminal/command-line.ts'

export interface ServiceOptions extends JsonOptions {
  url?: string
  tokenFile?: string
}

/** Adds the options that choose the service. */
export const withServiceAddress = (command: Command): Command =>
  command
    .optionsGroup('Service:')
    .option(
      '--url <URL>',
      'the service (MIEN_URL); its token comes from MIEN_TOKEN (default: the service of --data)',
    )
    .option('--token-file <FILE>', 'file with the token')

/** Adds the options that choose the output and the service. */
export const withServiceOptions = (command: Command): Command =>
  withServiceAddress(command.option('--json', 'print the answer of the API as JSON'))

/** Name of a threshold, or a confidence 0..1. */
export type ThresholdOption = keyof typeof THRESHOLDS | number

/** A threshold when the command line has none. */
export const DEFAULT_THRESHOLD = 'medium'

export const thresholdOption = (): Option =>
  new Option('--threshold <T>', `least confidence: 0 to 1, or ${Object.keys(THRESHOLDS).join(', ')}`)
    .argParser(threshold)
    .default(DEFAULT_THRESHOLD)

export const selectorOption = (): Option =>
  new Option('--selector <NAME>', 'face of a photo with several').choices(SELECTORS).default('biggest')

/** The name of a threshold, or a number from 0 to 1. */
export const threshold = (text: string): ThresholdOption =>
  Object.hasOwn(THRESHOLDS, text)
    ? (text as keyof typeof THRESHOLDS)
    : numberIn(text, `Expected a number from 0 to 1, or ${Object.keys(THRESHOLDS).join(', ')}.`)

/** A number from 0 to 1. */
export const fraction = (text: string): number => numberIn(text, 'Expected a number from 0 to 1.')

function numberIn(text: string, expected: string) {
  const value = Number(text)
  if (text.trim() !== '' && value >= 0 && value <= 1) return value
  throw new InvalidArgumentError(expected)
}

/** A whole number of at least `least`. */
export const wholeNumber =
  (least: number) =>
  (text: string): number => {
    const value = Number(text)
    if (Number.isSafeInteger(value) && value >= least) return value
    throw new InvalidArgumentError(`Expected a whole number of at least ${least}.`)
  }
