/** `mien person`: lists, shows and deletes persons, and lists their sightings. */
import type { Command } from 'commander'
import { action, examples } from '../terminal/command-line.ts'
import type { DeleteOptions } from './galleries.ts'
import { type ServiceOptions, wholeNumber, withServiceOptions } from './options.ts'

const load = () => import('./persons.ts')

export function addPerson(mien: Command): void {
  const person = mien
    .command('person')
    .description('List, show and delete persons, and list where cameras saw them.')
    .addHelpText('after', examples('mien person list', 'mien person history 7'))
  withServiceOptions(person.command('list').description('List all persons.'))
    .addHelpText('after', examples('mien person list --json'))
    .action(action(async (options: ServiceOptions) => (await load()).list(options)))
  withServiceOptions(withId(person.command('show').description('Show a person.')))
    .addHelpText('after', examples('mien person show 7'))
    .action(action(async (options: ServiceOptions, id: number) => (await load()).show(options, id)))
  withServiceOptions(withId(person.command('history').description('List the camera events of a person.')))
    .addHelpText('after', examples('mien person history 7'))
    .action(action(async (options: ServiceOptions, id: number) => (await load()).history(options, id)))
  const remove = withId(person.command('delete').description('Delete a person and all faces of this person.'))
  withServiceOptions(remove.option('--yes', 'really delete'))
    .addHelpText('after', examples('mien person delete 7 --yes'))
    .action(action(async (options: DeleteOptions, id: number) => (await load()).remove(options, id)))
}

const withId = (command: Command): Command => command.argument('<ID>', 'ID of the person', wholeNumber(0))
