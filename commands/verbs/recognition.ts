/** The verb that manages recognition: `mien models`. */
import type { Command } from 'commander'
import type { ModelsGiven, ModelsName } from '../models/run.ts'
import { action, lazy, verb } from '../terminal/command-line.ts'

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
