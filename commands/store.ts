/** `mien store`: inspects, indexes, verifies, repairs, backs up and moves stored faces. */
import { Argument, type Command } from 'commander'
import { addFullBackup, addRestore } from './backup.ts'
import type { StoreGiven } from './store/run.ts'
import { action, examples } from './terminal/command-line.ts'

const load = () => import('./store/run.ts')

export function addStore(mien: Command): void {
  const store = mien
    .command('store')
    .description('Inspect, index, verify, repair, back up and move stored faces.')
    .addHelpText('after', '\n(*) needs the service stopped')
    .addHelpText('after', examples('mien store stat', 'mien store verify'))
  addInspection(store)
  addUpkeep(store)
  addFullBackup(store)
  addRestore(store)
  addTransfer(store)
  addMove(store)
}

function addInspection(store: Command): void {
  store
    .command('stat')
    .description('List galleries and their numbers of vectors.')
    .option('--json', 'print one JSON array')
    .addHelpText('after', examples('mien store stat --json'))
    .action(action(async (given: StoreGiven) => (await load()).runStore('stat', given)))
  store
    .command('index')
    .description("Build the gallery's index, and wait for it.")
    .argument('<GALLERY>', 'name of the gallery, as stat shows it')
    .addHelpText('after', examples('mien store index 5f0c1d2e3a4b5f0c1d2e3a4b_default'))
    .action(
      action(async (given: StoreGiven, gallery: string) => (await load()).runStore('index', given, gallery)),
    )
  store
    .command('verify')
    .description('Check every checksum, and that all parts agree.')
    .addHelpText('after', examples('mien store verify'))
    .action(action(async (given: StoreGiven) => (await load()).runStore('verify', given)))
}

function addUpkeep(store: Command): void {
  store
    .command('compact')
    .description('Purge deleted data and shrink files. (*)')
    .addHelpText('after', examples('mien store compact'))
    .action(action(async (given: StoreGiven) => (await load()).runStore('compact', given)))
  store
    .command('repair')
    .description('Rebuild what a lost file held, or count it. (*)')
    .option('--yes', 'do it; without it, count what would be done')
    .option('--accept-loss', 'remove what cannot be rebuilt')
    .addHelpText('after', examples('mien store repair'))
    .action(action(async (given: StoreGiven) => (await load()).runStore('repair', given)))
}

function addTransfer(store: Command): void {
  store
    .command('export')
    .description('Write vectors to a portable file; resumes.')
    .argument('<FILE>', 'the file to write')
    .option('--gallery <NAME>', 'this gallery only')
    .addHelpText('after', examples('mien store export vectors.jsonl'))
    .action(action(async (given: StoreGiven, file: string) => (await load()).runStore('export', given, file)))
  store
    .command('import')
    .description('Add the vectors of an exported file. (*)')
    .argument('<FILE>', 'the file to read')
    .addHelpText('after', examples('mien store import vectors.jsonl'))
    .action(action(async (given: StoreGiven, file: string) => (await load()).runStore('import', given, file)))
}

function addMove(store: Command): void {
  store
    .command('move')
    .description('Move a part to another place, and verify it; resumes. (*)')
    .addArgument(new Argument('<PART>', 'what to move').choices(['vectors', 'metadata', 'pictures']))
    .requiredOption(
      '--to <PLACE>',
      'local, or a postgres://, http(s):// or s3:// address, or a file with a list of shards',
    )
    .addHelpText(
      'after',
      examples(
        'mien store move vectors --to postgres://mien@db.example.com/faces',
        'mien store move metadata --to http://10.0.0.5:8080',
        'mien store move pictures --to local',
      ),
    )
    .action(action(async (given: StoreGiven, part: string) => (await load()).runStore('move', given, part)))
}
