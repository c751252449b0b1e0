/** Verbs that manage recognition: `mien models` and `calibrate`. */
import { type Command, Option } from 'commander'
import type { CalibrateOptions } from '../calibrate/calibration.ts'
import type { ModelsGiven, ModelsName } from '../models/run.ts'
import { action, examples } from '../terminal/command-line.ts'

const load = () => import('../calibrate/calibration.ts')

/** Runs a command on packs with its argument. */
const modelsAction = (name: ModelsName) =>
  action(async (given: ModelsGiven, subject: string | string[] = []) =>
    (await import('../models/run.ts')).runModels(name, given, [subject].flat()),
  )

export function addModels(mien: Command): void {
  const models = mien
    .command('models')
    .summary('Build the standard models, and manage packs of networks.')
    .description(
      'Build the standard models that are missing, and manage packs of networks. Without a command it builds.',
    )
    .addHelpText('after', examples('mien models', 'mien models list', 'mien models use opencv'))
    .action(action(async () => (await import('../models/run.ts')).build()))
  addChecks(models)
  addChanges(models)
}

function addChecks(models: Command): void {
  models
    .command('list')
    .description('List the packs, the chosen one, and how many files are here.')
    .option('--json', 'print one JSON array')
    .addHelpText('after', examples('mien models list --json'))
    .action(modelsAction('list'))
  models
    .command('verify')
    .description('Check every file of every pack.')
    .addHelpText('after', examples('mien models verify'))
    .action(modelsAction('verify'))
}

function addChanges(models: Command): void {
  models
    .command('use')
    .description('Choose a pack, from the next start on. Downloads its files if they are missing.')
    .argument('<PACK>', 'name of the pack')
    .addHelpText('after', examples('mien models use mine'))
    .action(modelsAction('use'))
  models
    .command('pull')
    .description("Download a pack's files; resumes.")
    .argument('<PACK>', 'name of the pack')
    .addHelpText('after', examples('mien models pull opencv'))
    .action(modelsAction('pull'))
  models
    .command('add')
    .description('Add packs of your own, as these manifests describe them.')
    .argument('<FILE...>', 'the manifests')
    .addHelpText('after', examples('mien models add mine.json'))
    .action(modelsAction('add'))
  models
    .command('reembed')
    .description('Convert all stored vectors to a pack, and choose it. The service has to be stopped.')
    .argument('[PACK]', 'name of the pack (default: the chosen one)')
    .option('--drop-missing', 'delete faces whose normalized picture is gone')
    .addHelpText('after', examples('mien models reembed mine'))
    .action(modelsAction('reembed'))
}

export function addCalibrate(mien: Command): void {
  const calibrate = mien
    .command('calibrate')
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
    .addHelpText('after', examples('mien calibrate --images /srv/people', 'mien calibrate --off'))
    .action(action(async (options: CalibrateOptions) => (await load()).changeCalibration(options)))
  calibrate
    .command('status')
    .description(
      'Print whether the folder is calibrated, with what, and what the thresholds of the pack let through.',
    )
    .addHelpText('after', examples('mien calibrate status'))
    .action(action(async (options: CalibrateOptions) => (await load()).status(options)))
}
