/** `mien identify`: searches for the faces of a photo among enrolled faces. */
import type { Command } from 'commander'
import { action, examples } from '../terminal/command-line.ts'
import { selectorOption, thresholdOption, wholeNumber } from './photo-options.ts'
import type { IdentifyOptions } from './photos.ts'
import { withServiceOptions } from './service-options.ts'

const load = () => import('./photos.ts')

export function addIdentify(mien: Command): void {
  const identify = mien
    .command('identify')
    .description('Search for the faces of a photo among enrolled faces.')
    .argument('<PHOTO>', 'a file, or the URL of a public photo')
    .option('--gallery <NAME>', 'search one gallery (default: all faces)')
    .addOption(thresholdOption())
    .addOption(selectorOption())
    .option('--n <N>', 'matches per face; 0: all', wholeNumber(0), 1)
    .option('--draw <OUT>', 'write a copy of the photo with a box and a name at each face')
  withServiceOptions(identify)
    .addHelpText(
      'after',
      examples(
        'mien identify photo.jpg --gallery staff',
        'mien identify group.jpg --selector all --draw names.jpg',
      ),
    )
    .action(
      action(async (options: IdentifyOptions, photo: string) => (await load()).identify(options, photo)),
    )
}
