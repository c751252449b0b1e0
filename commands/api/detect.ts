/** `mien detect`: finds the faces on a photo. */
import type { Command } from 'commander'
import { action, examples } from '../terminal/command-line.ts'
import type { DetectOptions } from './photos.ts'
import { withServiceOptions } from './service-options.ts'

const load = () => import('./photos.ts')

export function addDetect(mien: Command): void {
  const detect = mien
    .command('detect')
    .description('Find the faces on a photo.')
    .argument('<PHOTO>', 'a file, or the URL of a public photo')
    .option('--quality', 'report the quality of each face')
    .option('--liveness', 'report the liveness of each face')
    .option('--attributes', 'report age, gender and emotions')
    .option('--draw <OUT>', 'write a copy of the photo with numbered boxes')
  withServiceOptions(detect)
    .addHelpText(
      'after',
      examples('mien detect photo.jpg --quality', 'mien detect photo.jpg --draw boxes.jpg'),
    )
    .action(action(async (options: DetectOptions, photo: string) => (await load()).detect(options, photo)))
}
