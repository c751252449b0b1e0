/** Verbs that manage data: `mien store`, `backup`, `restore` and `encryption`. */
import { Argument, type Command, Option } from 'commander'
import type { BackUpOptions } from '../backup/run.ts'
import type { StoreGiven } from '../store/open.ts'
import type { StoreName } from '../store/run.ts'
import { action, addRemoved, examples, UsageError, verb, verbsOf } from '../terminal/command-line.ts'

const load = () => import('../administration/encryption.ts')

/** A command that runs the command of this name on the store, with its argument. */
const storeVerb = (parent: Command, name: StoreName, ...lines: readonly string[]) =>
  verb(parent, name, ...lines).action(
    action(async (given: StoreGiven, subject?: string) =>
      (await import('../store/run.ts')).runStore(name, given, subject),
    ),
  )

export function addStore(mien: Command): void {
  const store = mien
    .command('store')
    .description('Inspect, index, verify, repair, restore and move stored faces.')
    .addHelpText('after', '\n(*) needs the service stopped')
    .addHelpText('after', examples('mien store stat', 'mien store verify'))
  addInspection(store)
  addUpkeep(store)
  addRemoved(
    store,
    'backup',
    () => 'mien store backup is removed: mien backup REPOSITORY makes incremental backups (docs/backup.md).',
  )
  addRestore(store)
  addTransfer(store)
  addMove(store)
}

function addInspection(store: Command) {
  storeVerb(store, 'stat', 'mien store stat --json')
    .description('List galleries and their numbers of vectors.')
    .option('--json', 'print one JSON array')
  storeVerb(store, 'index', 'mien store index 5f0c1d2e3a4b5f0c1d2e3a4b_default')
    .description("Build the gallery's index, and wait for it.")
    .argument('<GALLERY>', 'name of the gallery, as stat shows it')
  storeVerb(store, 'verify', 'mien store verify').description(
    'Check every checksum, and that all parts agree.',
  )
}

function addUpkeep(store: Command) {
  storeVerb(store, 'compact', 'mien store compact').description('Purge deleted data and shrink files. (*)')
  storeVerb(store, 'repair', 'mien store repair')
    .description('Rebuild what a lost file held, or count it. (*)')
    .option('--yes', 'do it; without it, count what would be done')
    .option('--accept-loss', 'remove what cannot be rebuilt')
}

function addTransfer(store: Command) {
  storeVerb(store, 'export', 'mien store export vectors.jsonl')
    .description('Write vectors to a portable file; resumes.')
    .argument('<FILE>', 'the file to write')
    .option('--gallery <NAME>', 'this gallery only')
  storeVerb(store, 'import', 'mien store import vectors.jsonl')
    .description('Add the vectors of an exported file. (*)')
    .argument('<FILE>', 'the file to read')
}

function addMove(store: Command) {
  storeVerb(
    store,
    'move',
    'mien store move vectors --to postgres://mien@db.example.com/faces',
    'mien store move metadata --to http://10.0.0.5:8080',
    'mien store move pictures --to local',
  )
    .description('Move a part to another place, and verify it; resumes. (*)')
    .addArgument(new Argument('<PART>', 'what to move').choices(['vectors', 'metadata', 'pictures']))
    .requiredOption(
      '--to <PLACE>',
      'local, or a postgres://, http(s):// or s3:// address, or a file with a list of shards',
    )
}

export function addBackup(mien: Command): void {
  const backup = verb(
    mien,
    'backup',
    'mien backup /backups/mien',
    'mien backup --to /backups/mien --every 1h --keep 24h,7d,4w',
    "mien backup --to 's3://backups/mien?endpoint=https://s3.example.com'",
  )
    .summary('Back up all data, also while the service runs.')
    .description('Add a backup to a repository of incremental backups, also while the service runs.')
    .argument('[REPOSITORY]', 'a folder, or s3://bucket/prefix?endpoint=URL; a new one is made')
    .option('--to <REPOSITORY>', 'the same as the argument')
    .option('--every <TIME>', 'repeat it at this interval, until SIGTERM or Ctrl-C; for example 1h')
    .option('--follow', 'repeat it as the settings of the service say, and on requests of the console')
    .option('--keep <RULE>', 'keep hourly, daily and weekly backups (default: 24h,7d,4w)')
    .option('--drill <TIME>', 'with --every: also restore and compare the newest backup at this interval')
    .option('--clips', 'with snapshots and clips of cameras')
    .action(
      action(async (given: BackUpOptions, repository: string | undefined) => {
        const to = given.to ?? repository
        if (to === undefined || (given.to !== undefined && repository !== undefined))
          throw new UsageError('mien backup takes a REPOSITORY.')
        return (await import('../backup/run.ts')).runBackup({ ...given, to })
      }),
    )
  const add = verbsOf(backup, () => import('../backup/run.ts'))
  add('list', 'mien backup list /backups/mien')
    .description('List the backups of a repository.')
    .argument('<REPOSITORY>', 'the folder or s3:// address')
    .option('--json', 'print one JSON array')
  add('drill', 'mien backup drill /backups/mien --in /scratch/drill')
    .description('Restore the newest backup into a temporary folder, verify it and compare it with the data.')
    .argument('<REPOSITORY>', 'the folder or s3:// address')
    .option('--in <FOLDER>', 'the temporary folder; it must not exist (default: drill in the data folder)')
}

export function addRestore(parent: Command): void {
  storeVerb(
    parent,
    'restore',
    'mien restore /backups/mien --data /srv/mien',
    'mien restore /backups/mien --at 2026-11-20T08:00 --data /srv/mien',
    'mien restore /backups/2026-11-20 --deletions /backups/audit.jsonl',
  )
    .description('Create a data folder from a backup.')
    .argument('<BACKUP>', 'a repository, or a folder with a whole backup of 0.2')
    .option('--at <TIME>', 'the newest backup of a repository until this time, such as 2026-11-20T08:00')
    .option(
      '--deletions <LOG>',
      'repeat the deletions after the backup that this data folder, or file of "mien audit export", records (default: the newest backup of a repository); none: repeat none',
    )
    .option('--decrypt', 'do not encrypt the new folder, although the backup is encrypted')
    .addHelpText('after', NEW_KEY_HELP)
}

const NEW_KEY_HELP = `
With MIEN_ENCRYPTION_NEW_KEY, or the file that MIEN_ENCRYPTION_NEW_KEY_FILE
names, the new folder is encrypted with this key, also if the backup is not.`

const KEY_HELP = `
The key is in MIEN_ENCRYPTION_KEY, or in the file that MIEN_ENCRYPTION_KEY_FILE
names: 32 random bytes as 64 hexadecimal digits or as Base64.`

const CONVERSIONS_REMOVED =
  'A folder with data is no longer encrypted, decrypted or given another data key in place. Back it up with --clips, and restore the backup with MIEN_ENCRYPTION_NEW_KEY or --decrypt (docs/administration.md, "Encryption").'

export function addEncryption(mien: Command): void {
  const encryption = mien
    .command('encryption')
    .summary('Show the encryption of a data folder, and change its key.')
    .description(
      'Show the encryption of a data folder, and change its key. A new folder is encrypted when there is a key.',
    )
    .addHelpText('after', KEY_HELP)
    .addHelpText('after', examples('mien encryption status'))
  const add = verbsOf(encryption, load)
  add('status', 'mien encryption status').description(
    'Print whether the folder is encrypted, and with which key.',
  )
  add('rotate', 'mien encryption rotate')
    .description(
      'Replace the key that opens the folder by MIEN_ENCRYPTION_NEW_KEY(_FILE). Stop the service first.',
    )
    .addOption(new Option('--data-key', 'removed').hideHelp())
    .hook('preAction', rotate => {
      if (rotate.opts().dataKey) rotate.error(CONVERSIONS_REMOVED, { exitCode: 2 })
    })
  for (const name of ['on', 'off']) addRemoved(encryption, name, () => CONVERSIONS_REMOVED)
}
