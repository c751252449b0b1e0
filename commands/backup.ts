/** `mien backup` and `mien restore`, which are also commands of `mien store`. */
import type { Command } from 'commander'
import type { StoreGiven } from './store/run.ts'
import { action, examples } from './terminal/command-line.ts'

const load = () => import('./store/run.ts')

export function addBackup(parent: Command): void {
  parent
    .command('backup')
    .description('Copy all data to a new folder, also while the service runs.')
    .argument('<FOLDER>', 'the folder to create')
    .addHelpText('after', examples('mien backup /backups/2026-11-20'))
    .action(
      action(async (given: StoreGiven, folder: string) => (await load()).runStore('backup', given, folder)),
    )
}

export function addRestore(parent: Command): void {
  parent
    .command('restore')
    .description('Create a data folder from a backup.')
    .argument('<FOLDER>', 'the folder of the backup')
    .option(
      '--deletions <LOG>',
      'delete again what was deleted after the backup, as recorded by "mien audit export"',
    )
    .addHelpText(
      'after',
      examples(
        'mien restore /backups/2026-11-20 --data /srv/mien',
        'mien restore /backups/2026-11-20 --deletions /backups/audit.jsonl',
      ),
    )
    .action(
      action(async (given: StoreGiven, folder: string) => (await load()).runStore('restore', given, folder)),
    )
}
