/** Verbs that manage recognition: `mien models` and `calibrate`. */
import { type Command, Option } from 'commander'
import type { ModelsGiven, ModelsName } from '../models/run.ts'
import { action, lazy, verb, verbsOf } from '../terminal/command-line.ts'

const load = () => import('../calibrate/calibration.ts')

export function addModels(mien: Command): void {
  const models = verb(mien, 'models', 'mien models', 'mien models list', 'mien models use opencv')
    .summary('Build the standard models, and manage packs of networks.')
    .description(
      'Build the standard models that are missing, and manage packs of networks. Without a command it builds.',
    )
    .action(lazy(() => import('../models/run.ts'), 'build'))
  const add = (name: ModelsName, ...lines: readonly string[]): Command =>
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

export function addCalibrate(mien: Command): void {
  const calibrate = verb(mien, 'calibrate', 'mien calibrate --images /srv/people', 'mien calibrate --off')
    .summary('Calibrate confidences with pictures of people at this site.')
    .description(
      'Calibrate confidences with pictures of people at this site, and measure what that is worth. ' +
        'The service uses a calibration from its next start.',
    )
    .option(
      '--images <DIR>',
      'calibrate with the pictures in DIR: a folder of pictures for each person, or single pictures, each of another person',
    )
    .option('--off', "return to the pack's own table")
    .addOption(new Option('--pack <NAME>', 'pack of the service (default: the chosen one)').env('MIEN_PACK'))
    .action(lazy(load, 'changeCalibration'))
  verbsOf(calibrate, load)('status', 'mien calibrate status').description(
    'Print whether the folder is calibrated, with what, and the false matches at the thresholds of the pack.',
  )
}
