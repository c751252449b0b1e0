/** `mien models`: builds the standard models, and manages packs: list, use, pull, add, verify, reembed. */
import type { Command } from 'commander'
import type { ModelsGiven } from './models/run.ts'
import { action, examples } from './terminal/command-line.ts'

const load = () => import('./models/run.ts')

export function addModels(mien: Command): void {
  const models = mien
    .command('models')
    .summary('Build the standard models, and manage packs of networks.')
    .description(
      'Build the standard models that are missing, and manage packs of networks. Without a command it builds.',
    )
    .addHelpText('after', examples('mien models', 'mien models list', 'mien models use opencv'))
    .action(action(async () => (await load()).build()))
  addChecks(models)
  addChanges(models)
}

function addChecks(models: Command): void {
  models
    .command('list')
    .description('List the packs, the chosen one, and how many files are here.')
    .option('--json', 'print one JSON array')
    .addHelpText('after', examples('mien models list --json'))
    .action(action(async (given: ModelsGiven) => (await load()).runModels('list', given)))
  models
    .command('verify')
    .description('Check every file of every pack.')
    .addHelpText('after', examples('mien models verify'))
    .action(action(async (given: ModelsGiven) => (await load()).runModels('verify', given)))
}

function addChanges(models: Command): void {
  models
    .command('use')
    .description('Choose a pack, from the next start on. Downloads its files if they are missing.')
    .argument('<PACK>', 'name of the pack')
    .addHelpText('after', examples('mien models use mine'))
    .action(
      action(async (given: ModelsGiven, pack: string) => (await load()).runModels('use', given, [pack])),
    )
  models
    .command('pull')
    .description("Download a pack's files; resumes.")
    .argument('<PACK>', 'name of the pack')
    .addHelpText('after', examples('mien models pull opencv'))
    .action(
      action(async (given: ModelsGiven, pack: string) => (await load()).runModels('pull', given, [pack])),
    )
  models
    .command('add')
    .description('Add packs of your own, as these manifests describe them.')
    .argument('<FILE...>', 'the manifests')
    .addHelpText('after', examples('mien models add mine.json'))
    .action(
      action(async (given: ModelsGiven, files: string[]) => (await load()).runModels('add', given, files)),
    )
  models
    .command('reembed')
    .description('Convert all stored vectors to a pack, and choose it. The service has to be stopped.')
    .argument('[PACK]', 'name of the pack (default: the chosen one)')
    .option('--drop-missing', 'delete faces whose normalized picture is gone')
    .addHelpText('after', examples('mien models reembed mine'))
    .action(
      action(async (given: ModelsGiven, pack?: string) =>
        (await load()).runModels('reembed', given, pack === undefined ? [] : [pack]),
      ),
    )
}
