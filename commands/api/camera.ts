/** `mien camera`: lists, creates, shows and deletes cameras. */
import type { Command } from 'commander'
import { action, examples } from '../terminal/command-line.ts'
import type { CameraOptions } from './cameras.ts'
import { type ServiceOptions, wholeNumber, withServiceOptions } from './options.ts'

const load = () => import('./cameras.ts')

export function addCamera(mien: Command): void {
  const camera = mien
    .command('camera')
    .description('List, create, show and delete cameras.')
    .addHelpText('after', examples('mien camera list', 'mien camera create --meta "front door"'))
  withServiceOptions(
    camera.command('list').description('List all cameras, without the passwords in their URLs.'),
  )
    .addHelpText('after', examples('mien camera list'))
    .action(action(async (options: ServiceOptions) => (await load()).list(options)))
  const create = camera
    .command('create')
    .description('Create a camera, and print its ID.')
    .option('--meta <TEXT>', 'name or place of the camera')
    .option('--stream <URL>', 'URL of its video, without a user, a password and other secrets')
    .option(
      '--stream-file <FILE>',
      'file with the URL, which may have a password; - reads it from standard input',
    )
    .option('--retention-days <N>', 'days until a face of the camera is deleted', wholeNumber(1))
  withServiceOptions(create)
    .addHelpText(
      'after',
      examples(
        'mien camera create --meta "front door" --retention-days 30',
        'mien camera create --meta "front door" --stream-file door.url',
      ),
    )
    .action(action(async (options: CameraOptions) => (await load()).create(options)))
  withServiceOptions(
    withId(camera.command('show').description('Show a camera, without the password in its URL.')),
  )
    .addHelpText('after', examples('mien camera show 709d6c9d9ab9442f8e3140c49d38fa30'))
    .action(action(async (options: ServiceOptions, id: string) => (await load()).show(options, id)))
  withServiceOptions(
    withId(camera.command('delete').description('Delete a camera. Its faces and events remain.')),
  )
    .addHelpText('after', examples('mien camera delete 709d6c9d9ab9442f8e3140c49d38fa30'))
    .action(action(async (options: ServiceOptions, id: string) => (await load()).remove(options, id)))
}

const withId = (command: Command): Command => command.argument('<ID>', 'ID of the camera')
