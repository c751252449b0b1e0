/** `mien backup` and `mien restore`; the parts that need no repository are also commands of `mien store`. */
import type { Command } from 'commander'
import type { BackUpOptions } from './backup/run.ts'
import type { StoreGiven } from './store/run.ts'
import { action, examples, type GlobalOptions, UsageError } from './terminal/command-line.ts'

const load = () => import('./store/run.ts')

/** `mien store backup FOLDER`. */
export function addFullBackup(store: Command): void {
  store
    .command('backup')
    .description('Copy all data to a new folder, also while the service runs.')
    .argument('<FOLDER>', 'the folder to create')
    .addHelpText('after', examples('mien store backup /backups/2026-11-20'))
    .action(
      action(async (given: StoreGiven, folder: string) => (await load()).runStore('backup', given, folder)),
    )
}

export function addBackup(mien: Command): void {
  const backup = mien
    .command('backup')
    .summary('Back up all data, also while the service runs.')
    .description(
      'Back up all data, also while the service runs: into a repository of incremental backups with --to, or as a whole to a new FOLDER.',
    )
    .argument('[FOLDER]', 'the folder to create, without --to')
    .option('--to <REPOSITORY>', 'a folder, or s3://bucket/prefix?endpoint=URL, for incremental backups')
    .option('--every <TIME>', 'repeat it at this interval, until SIGTERM or Ctrl-C; for example 1h')
    .option('--keep <RULE>', 'keep hourly, daily and weekly backups (default: 24h,7d,4w)')
    .option('--drill <TIME>', 'with --every: also restore and compare the newest backup at this interval')
    .addHelpText(
      'after',
      examples(
        'mien backup --to /backups/mien --every 1h --keep 24h,7d,4w',
        "mien backup --to 's3://backups/mien?endpoint=https://s3.example.com'",
        'mien backup /backups/2026-11-20',
      ),
    )
    .action(
      action(async (given: BackUpOptions & StoreGiven, folder: string | undefined) => {
        if (folder !== undefined && given.to === undefined)
          return (await load()).runStore('backup', given, folder)
        if (folder !== undefined || given.to === undefined)
          throw new UsageError('mien backup takes a FOLDER or --to REPOSITORY.')
        return (await import('./backup/run.ts')).runBackup({ ...given, to: given.to })
      }),
    )
  addRepositoryCommands(backup)
}

function addRepositoryCommands(backup: Command): void {
  backup
    .command('list')
    .description('List the backups of a repository.')
    .argument('<REPOSITORY>', 'the folder or s3:// address')
    .option('--json', 'print one JSON array')
    .addHelpText('after', examples('mien backup list /backups/mien'))
    .action(
      action(async (given: GlobalOptions & { json?: boolean }, repository: string) =>
        (await import('./backup/run.ts')).listBackups(given, repository),
      ),
    )
  backup
    .command('drill')
    .description('Restore the newest backup into a temporary folder, verify it and compare it with the data.')
    .argument('<REPOSITORY>', 'the folder or s3:// address')
    .option('--in <FOLDER>', 'the temporary folder; it must not exist (default: drill in the data folder)')
    .addHelpText('after', examples('mien backup drill /backups/mien --in /scratch/drill'))
    .action(
      action(async (given: GlobalOptions & { in?: string }, repository: string) =>
        (await import('./backup/drill.ts')).runDrill(given, repository),
      ),
    )
}

export function addRestore(parent: Command): void {
  parent
    .command('restore')
    .description('Create a data folder from a backup.')
    .argument('<BACKUP>', 'a folder with a whole backup, or a repository')
    .option('--at <TIME>', 'the newest backup of a repository until this time, such as 2026-11-20T08:00')
    .option(
      '--deletions <LOG>',
      'delete again what was deleted after the backup, as recorded by this data folder or file of "mien audit export" (default: by the newest backup of a repository); none: do not',
    )
    .addHelpText(
      'after',
      examples(
        'mien restore /backups/mien --data /srv/mien',
        'mien restore /backups/mien --at 2026-11-20T08:00 --data /srv/mien',
        'mien restore /backups/2026-11-20 --deletions /backups/audit.jsonl',
      ),
    )
    .action(
      action(async (given: StoreGiven, source: string) => (await load()).runStore('restore', given, source)),
    )
}
