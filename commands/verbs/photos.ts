/** Verbs that send photos to the API and store nothing: `mien detect`, `verify`, `identify` and `bench`. */
import { type Command, Option } from 'commander'
import { SEARCH_TARGETS } from '../../contract/model/face.ts'
import {
  DEFAULT_THRESHOLD,
  fpirOption,
  selectorOption,
  thresholdOption,
  wholeNumber,
  withServiceOptions,
} from '../api/options.ts'
import { lazy, verb, verbsOf } from '../terminal/command-line.ts'

const photos = () => import('../api/photos.ts')

export function addDetect(mien: Command): void {
  const detect = verbsOf(mien, photos)(
    'detect',
    'mien detect photo.jpg --quality',
    'mien detect photo.jpg --draw boxes.jpg',
  )
    .description('Find the faces on a photo.')
    .argument('<PHOTO>', 'a file, or the URL of a public photo')
    .option('--quality', 'report the quality of each face')
    .option('--liveness', 'report the liveness of each face')
    .option('--attributes', 'report age, gender and emotions')
    .option('--draw <OUT>', 'write a copy of the photo with numbered boxes')
  withServiceOptions(detect)
}

export function addVerify(mien: Command): void {
  const verify = verbsOf(mien, photos)('verify', 'mien verify a.jpg b.jpg --threshold strict')
    .description('Compare the faces of two photos. The exit code is 1 when no pair is of the same person.')
    .argument('<PHOTO1>', 'a file, or the URL of a public photo')
    .argument('<PHOTO2>', 'the other photo')
    .addOption(thresholdOption())
    .addOption(selectorOption())
  withServiceOptions(verify)
}

export function addIdentify(mien: Command): void {
  const identify = verbsOf(mien, photos)(
    'identify',
    'mien identify photo.jpg --gallery staff --target persons',
    'mien identify group.jpg --selector all --draw names.jpg',
  )
    .description('Search for the faces of a photo among enrolled faces.')
    .argument('<PHOTO>', 'a file, or the URL of a public photo')
    .option('--gallery <NAME>', 'search one gallery (default: all faces)')
    // The handler has to know whether there is one.
    .addOption(thresholdOption().default(undefined, DEFAULT_THRESHOLD))
    .addOption(fpirOption().conflicts('threshold'))
    .addOption(new Option('--target <WHAT>', 'what is searched').choices(SEARCH_TARGETS))
    .addOption(selectorOption())
    .option('--n <N>', 'matches per face; 0: all', wholeNumber(0), 1)
    .option('--draw <OUT>', 'write a copy of the photo with a box and a name at each face')
  withServiceOptions(identify)
}

/** Operations that change nothing. */
const OPERATIONS = ['detect', 'verify', 'identify'] as const

export function addBench(mien: Command): void {
  const command = verb(mien, 'bench', 'mien bench photo.jpg --operation identify --callers 8')
    .description('Send a photo again and again, and measure the answers. Nothing is stored.')
    .argument('<PHOTO>', 'a file')
    .addOption(new Option('--operation <NAME>', 'request to send').choices(OPERATIONS).default('detect'))
    .option('--callers <N>', 'requests at the same time', wholeNumber(1), 4)
    .option('--seconds <S>', 'duration', wholeNumber(1), 10)
  withServiceOptions(command).action(lazy(() => import('../api/measure.ts'), 'measure'))
}
