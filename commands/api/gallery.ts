/** `mien gallery`: lists, creates, shows, changes and deletes galleries. */
import type { Command } from 'commander'
import { action, examples } from '../terminal/command-line.ts'
import type { DeleteOptions, GalleryOptions } from './galleries.ts'
import { type ServiceOptions, wholeNumber, withServiceOptions } from './options.ts'

const load = () => import('./galleries.ts')

export function addGallery(mien: Command): void {
  const gallery = mien
    .command('gallery')
    .description('List, create, show, change and delete galleries.')
    .addHelpText('after', examples('mien gallery list', 'mien gallery create staff --retention-days 365'))
  withServiceOptions(gallery.command('list').description('List the names of all galleries.'))
    .addHelpText('after', examples('mien gallery list'))
    .action(action(async (options: ServiceOptions) => (await load()).list(options)))
  withServiceOptions(gallery.command('show').description('Show a gallery.').argument('<NAME>', 'its name'))
    .addHelpText('after', examples('mien gallery show staff'))
    .action(action(async (options: ServiceOptions, name: string) => (await load()).show(options, name)))
  const create = gallery.command('create').description('Create a gallery.').argument('<NAME>', 'its name')
  withServiceOptions(withRetention(create))
    .addHelpText('after', examples('mien gallery create staff --retention-days 365'))
    .action(action(async (options: GalleryOptions, name: string) => (await load()).create(options, name)))
  const change = gallery.command('change').description('Change a gallery.').argument('<NAME>', 'its name')
  withServiceOptions(withRetention(change))
    .addHelpText('after', examples('mien gallery change staff --retention-days 30'))
    .action(action(async (options: GalleryOptions, name: string) => (await load()).change(options, name)))
  const remove = gallery
    .command('delete')
    .description('Delete a gallery and the faces in it, from every gallery.')
    .argument('<NAME>', 'its name')
    .option('--yes', 'really delete')
  withServiceOptions(remove)
    .addHelpText('after', examples('mien gallery delete staff --yes'))
    .action(action(async (options: DeleteOptions, name: string) => (await load()).remove(options, name)))
}

const withRetention = (command: Command): Command =>
  command.option('--retention-days <N>', 'days until a face of the gallery is deleted', wholeNumber(1))
