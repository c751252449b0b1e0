/** Verbs that take faces in and out: `mien enrol` and `export`. */
import type { Command } from 'commander'
import {
  fraction,
  selectorOption,
  threshold,
  withServiceAddress,
  withServiceOptions,
} from '../api/options.ts'
import { examples, lazyAction } from '../terminal/command-line.ts'

export function addEnrol(mien: Command): void {
  const enrol = mien
    .command('enrol')
    .description('Enrol the photos of a folder PERSON/*, of a CSV list or of JSON lines. Resumes.')
    .argument('<LIST>', 'a folder, or a file .csv or .jsonl')
  addFieldOptions(enrol)
  addListOptions(enrol)
  addRunOptions(enrol)
  withServiceAddress(enrol)
    .addHelpText(
      'after',
      examples(
        'mien enrol people/ --galleries staff --report report',
        'mien enrol people.csv --column file=photo --dry-run',
      ),
    )
    .action(lazyAction(() => import('../enrol/enrol.ts'), 'enrol'))
}

function addFieldOptions(enrol: Command) {
  enrol
    .optionsGroup('Fields of photos that the list leaves out:')
    .option('--meta <TEXT>', 'meta')
    .option('--galleries <NAMES>', 'galleries, separated by commas')
    .option('--camera <UUID>', 'camera')
    .option('--time <TIME>', 'time of the photo, ISO 8601 (default: now)')
    .addOption(selectorOption())
}

function addListOptions(enrol: Command) {
  enrol
    .optionsGroup('Reading the list:')
    .option('--pattern <TEXT>', 'folder: {meta}, {gallery}, {camera}, {time}, * and ** (default: {meta}/*)')
    .option('--column <FIELD=NAME>', 'CSV: name of a column; repeatable', collect)
    .option('--ignore-column <NAME>', 'CSV: a column to ignore; repeatable', collect)
    .option('--delimiter <C>', 'CSV: delimiter (default: comma)')
    .option('--skip-bad-rows', 'leave faulty rows out, and enrol the others')
    .option('--follow-links', 'read photos by links that lead out of the folder')
    .option('--dry-run', 'check the list, say what would be sent, and send nothing')
}

function addRunOptions(enrol: Command) {
  enrol
    .optionsGroup('Enrolling:')
    .option('--min-quality <Q>', 'refuse faces below this quality, 0 to 1', fraction)
    .option(
      '--check-others [T]',
      'report faces that match faces of other metas (default threshold: strict)',
      threshold,
    )
    .option('--create-galleries', 'create galleries that the list names')
    .option('--job <FILE>', 'job file (default: beside the list)')
    .option('--restart', 'forget what the job file records')
    .option('--report <OUT>', 'write OUT.csv and OUT.html')
    .option('--json', 'print the result as JSON, or the rows of --dry-run as lines of JSON')
}

const collect = (value: string, before: string[] = []) => [...before, value]

export function addExport(mien: Command): void {
  const command = mien
    .command('export')
    .description("Write the faces of the token's owner, with metas and pictures, to a folder.")
    .argument('<DIR>', 'a new folder, or the folder of an interrupted export')
    .option('--gallery <NAME>', 'faces of one gallery (default: all)')
  withServiceOptions(command)
    .addHelpText(
      'after',
      '\nDIR/faces.jsonl has every face as the API returns it. DIR/list.jsonl is a list\n' +
        'for mien enrol, with the thumbnails in DIR/pictures.',
    )
    .addHelpText('after', examples('mien export ann-2026', 'mien enrol ann-2026/list.jsonl'))
    .action(lazyAction(() => import('../api/export-faces.ts'), 'exportFaces'))
}
