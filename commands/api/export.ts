/** `mien export`: writes the faces of an owner to a folder that `mien enrol` reads. */
import type { Command } from 'commander'
import { action, examples } from '../terminal/command-line.ts'
import type { ExportOptions } from './export-faces.ts'
import { withServiceOptions } from './options.ts'

export function addExport(mien: Command): void {
  const command = mien
    .command('export')
    .description("Write the faces of the token's owner, with metas and pictures, to a folder.")
    .argument('<DIR>', 'a new folder, or that of an interrupted export')
    .option('--gallery <NAME>', 'faces of one gallery (default: all)')
  withServiceOptions(command)
    .addHelpText(
      'after',
      '\nDIR/faces.jsonl has every face as the API returns it. DIR/list.jsonl is a list\n' +
        'for mien enrol, with the thumbnails in DIR/pictures.',
    )
    .addHelpText('after', examples('mien export ann-2026', 'mien enrol ann-2026/list.jsonl'))
    .action(
      action(async (options: ExportOptions, folder: string) =>
        (await import('./export-faces.ts')).exportFaces(options, folder),
      ),
    )
}
