/** `mien bench`: measures how many requests the running service answers, and how quickly. */
import { type Command, Option } from 'commander'
import { action, examples } from '../terminal/command-line.ts'
import type { BenchOptions } from './measure.ts'
import { wholeNumber, withServiceOptions } from './options.ts'

/** Operations that change nothing. */
const OPERATIONS = ['detect', 'verify', 'identify'] as const

export function addBench(mien: Command): void {
  const command = mien
    .command('bench')
    .description('Send a photo again and again, and measure the answers. Nothing is stored.')
    .argument('<PHOTO>', 'a file')
    .addOption(new Option('--operation <NAME>', 'request to send').choices(OPERATIONS).default('detect'))
    .option('--callers <N>', 'requests at the same time', wholeNumber(1), 4)
    .option('--seconds <S>', 'duration', wholeNumber(1), 10)
  withServiceOptions(command)
    .addHelpText('after', examples('mien bench photo.jpg --operation identify --callers 8'))
    .action(
      action(async (options: BenchOptions, photo: string) =>
        (await import('./measure.ts')).measure(options, photo),
      ),
    )
}
