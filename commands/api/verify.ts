/** `mien verify`: compares the faces of two photos. */
import type { Command } from 'commander'
import { action, examples } from '../terminal/command-line.ts'
import { selectorOption, thresholdOption } from './photo-options.ts'
import type { VerifyOptions } from './photos.ts'
import { withServiceOptions } from './service-options.ts'

const load = () => import('./photos.ts')

export function addVerify(mien: Command): void {
  const verify = mien
    .command('verify')
    .description('Compare the faces of two photos. The exit code is 1 when no pair is of the same person.')
    .argument('<PHOTO1>', 'a file, or the URL of a public photo')
    .argument('<PHOTO2>', 'the other photo')
    .addOption(thresholdOption())
    .addOption(selectorOption())
  withServiceOptions(verify)
    .addHelpText('after', examples('mien verify a.jpg b.jpg --threshold strict'))
    .action(
      action(async (options: VerifyOptions, photo1: string, photo2: string) =>
        (await load()).verify(options, photo1, photo2),
      ),
    )
}
