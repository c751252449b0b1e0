/** `mien calibrate`: calibrates confidences with pictures of a site's people, or removes the calibration. */
import { type Command, Option } from 'commander'
import type { CalibrateOptions } from './calibrate/calibration.ts'
import { action, examples } from './terminal/command-line.ts'

const load = () => import('./calibrate/calibration.ts')

export function addCalibrate(mien: Command): void {
  const calibrate = mien
    .command('calibrate')
    .summary('Calibrate confidences with pictures of people at this site.')
    .description(
      'Calibrate confidences with pictures of people at this site, and measure what that is worth. ' +
        'The service uses a calibration from its next start.',
    )
    .option(
      '--images <DIR>',
      'calibrate with the pictures in DIR: a folder of pictures for each person, or single pictures, each of another person',
    )
    .option('--off', "return to the pack's own table")
    .addOption(new Option('--pack <NAME>', 'pack of the service (default: the chosen one)').env('MIEN_PACK'))
    .addHelpText('after', examples('mien calibrate --images /srv/people', 'mien calibrate --off'))
    .action(action(async (options: CalibrateOptions) => (await load()).changeCalibration(options)))
  calibrate
    .command('status')
    .description(
      'Print whether the folder is calibrated, with what, and what the thresholds of the pack let through.',
    )
    .addHelpText('after', examples('mien calibrate status'))
    .action(action(async (options: CalibrateOptions) => (await load()).status(options)))
}
