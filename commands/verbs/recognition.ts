/** Verbs of recognition: `mien detect`, `verify` and `identify`, which store nothing, and `mien models`. */
import { type Command, Option } from 'commander'
import { SEARCH_TARGETS } from '../../contract/model/face.ts'
import {
  DEFAULT_THRESHOLD,
  fraction,
  selectorOption,
  thresholdOption,
  wholeNumber,
  withServiceOptions,
} from '../api/options.ts'
import type { ModelsGiven, ModelsName } from '../models/run.ts'
import { action, lazyAction, verb, verbsOf } from '../terminal/command-line.ts'

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
    .addOption(
      new Option('--fpir <SHARE>', 'instead of a threshold: share of strangers that may have a match')
        .argParser(fraction)
        .conflicts('threshold'),
    )
    .addOption(new Option('--target <WHAT>', 'what is searched').choices(SEARCH_TARGETS))
    .addOption(selectorOption())
    .option('--n <N>', 'matches per face; 0: all', wholeNumber(0), 1)
    .option('--draw <OUT>', 'write a copy of the photo with a box and a name at each face')
  withServiceOptions(identify)
}

export function addModels(mien: Command): void {
  const models = verb(mien, 'models', 'mien models', 'mien models list', 'mien models use opencv')
    .summary('Build the standard models, and manage packs of networks.')
    .description(
      'Build the standard models that are missing, and manage packs of networks. Without a command it builds.',
    )
    .action(lazyAction(() => import('../models/run.ts'), 'build'))
  const add = (name: ModelsName, ...lines: readonly string[]) =>
    verb(models, name, ...lines).action(
      action(async (given: ModelsGiven, subject: string | string[] = []) =>
        (await import('../models/run.ts')).runModels(name, given, [subject].flat()),
      ),
    )
  add('list', 'mien models list --json')
    .description('List the packs, the chosen one, and how many files are here.')
    .option('--json', 'print one JSON array')
  add('verify', 'mien models verify').description('Check every file of every pack.')
  add('use', 'mien models use mine')
    .description('Choose a pack, from the next start on. Downloads its files if they are missing.')
    .argument('<PACK>', 'name of the pack')
  add('pull', 'mien models pull opencv')
    .description("Download a pack's files; resumes.")
    .argument('<PACK>', 'name of the pack')
  add('add', 'mien models add mine.json')
    .description('Add packs of your own, as these manifests describe them.')
    .argument('<FILE...>', 'the manifests')
  add('reembed', 'mien models reembed mine')
    .description('Convert all stored vectors to a pack, and choose it. The service has to be stopped.')
    .argument('[PACK]', 'name of the pack (default: the chosen one)')
    .option('--drop-missing', 'delete faces whose normalized picture is gone')
}
