/** Verbs for what the API keeps: `mien gallery`, `person`, `camera`, `alert` and `events`. */
import { type Command, Option } from 'commander'
import { omitUndefined } from '../../contract/omit-undefined.ts'
import type { DeliveryOptions, RuleOptions } from '../api/alerts.ts'
import type { CameraOptions } from '../api/cameras.ts'
import type { DeleteOptions, GalleryOptions } from '../api/galleries.ts'
import { type ServiceOptions, wholeNumber, withServiceAddress, withServiceOptions } from '../api/options.ts'
import { action, examples } from '../terminal/command-line.ts'

const galleries = () => import('../api/galleries.ts')
const persons = () => import('../api/persons.ts')
const cameras = () => import('../api/cameras.ts')
const alerts = () => import('../api/alerts.ts')

export function addGallery(mien: Command): void {
  const gallery = mien
    .command('gallery')
    .description('List, create, show, change and delete galleries.')
    .addHelpText('after', examples('mien gallery list', 'mien gallery create staff --retention-days 365'))
  withServiceOptions(gallery.command('list').description('List the names of all galleries.'))
    .addHelpText('after', examples('mien gallery list'))
    .action(action(async (options: ServiceOptions) => (await galleries()).list(options)))
  withServiceOptions(gallery.command('show').description('Show a gallery.').argument('<NAME>', 'its name'))
    .addHelpText('after', examples('mien gallery show staff'))
    .action(action(async (options: ServiceOptions, name: string) => (await galleries()).show(options, name)))
  const create = gallery.command('create').description('Create a gallery.').argument('<NAME>', 'its name')
  withServiceOptions(withRetention(create))
    .addHelpText('after', examples('mien gallery create staff --retention-days 365'))
    .action(
      action(async (options: GalleryOptions, name: string) => (await galleries()).create(options, name)),
    )
  const change = gallery.command('change').description('Change a gallery.').argument('<NAME>', 'its name')
  withServiceOptions(withRetention(change))
    .addHelpText('after', examples('mien gallery change staff --retention-days 30'))
    .action(
      action(async (options: GalleryOptions, name: string) => (await galleries()).change(options, name)),
    )
  const remove = gallery
    .command('delete')
    .description('Delete a gallery and the faces in it, from every gallery.')
    .argument('<NAME>', 'its name')
    .option('--yes', 'really delete')
  withServiceOptions(remove)
    .addHelpText('after', examples('mien gallery delete staff --yes'))
    .action(action(async (options: DeleteOptions, name: string) => (await galleries()).remove(options, name)))
}

const withRetention = (command: Command): Command =>
  command.option('--retention-days <N>', 'days until a face of the gallery is deleted', wholeNumber(1))

export function addPerson(mien: Command): void {
  const person = mien
    .command('person')
    .description('List, show and delete persons, and list where cameras saw them.')
    .addHelpText('after', examples('mien person list', 'mien person history 7'))
  withServiceOptions(person.command('list').description('List all persons.'))
    .addHelpText('after', examples('mien person list --json'))
    .action(action(async (options: ServiceOptions) => (await persons()).list(options)))
  withServiceOptions(withPersonId(person.command('show').description('Show a person.')))
    .addHelpText('after', examples('mien person show 7'))
    .action(action(async (options: ServiceOptions, id: number) => (await persons()).show(options, id)))
  withServiceOptions(
    withPersonId(person.command('history').description('List the camera events of a person.')),
  )
    .addHelpText('after', examples('mien person history 7'))
    .action(action(async (options: ServiceOptions, id: number) => (await persons()).history(options, id)))
  const remove = withPersonId(
    person.command('delete').description('Delete a person and all faces of this person.'),
  )
  withServiceOptions(remove.option('--yes', 'really delete'))
    .addHelpText('after', examples('mien person delete 7 --yes'))
    .action(action(async (options: DeleteOptions, id: number) => (await persons()).remove(options, id)))
}

const withPersonId = (command: Command): Command =>
  command.argument('<ID>', 'ID of the person', wholeNumber(0))

export function addCamera(mien: Command): void {
  const camera = mien
    .command('camera')
    .description('List, create, show and delete cameras.')
    .addHelpText('after', examples('mien camera list', 'mien camera create --meta "front door"'))
  withServiceOptions(
    camera.command('list').description('List all cameras, without the passwords in their URLs.'),
  )
    .addHelpText('after', examples('mien camera list'))
    .action(action(async (options: ServiceOptions) => (await cameras()).list(options)))
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
    .action(action(async (options: CameraOptions) => (await cameras()).create(options)))
  withServiceOptions(
    camera
      .command('show')
      .description('Show a camera, without the password in its URL.')
      .argument('<ID>', 'ID of the camera'),
  )
    .addHelpText('after', examples('mien camera show 709d6c9d9ab9442f8e3140c49d38fa30'))
    .action(action(async (options: ServiceOptions, id: string) => (await cameras()).show(options, id)))
  withServiceOptions(
    camera
      .command('delete')
      .description('Delete a camera. Its faces and events remain.')
      .argument('<ID>', 'ID of the camera'),
  )
    .addHelpText('after', examples('mien camera delete 709d6c9d9ab9442f8e3140c49d38fa30'))
    .action(action(async (options: ServiceOptions, id: string) => (await cameras()).remove(options, id)))
}

const EXAMPLE_ID = '4be5a0a4f4b14e0d9bd1a2c53a1f7c10'

export function addAlert(mien: Command): void {
  const alert = mien
    .command('alert')
    .description('List, create, test and delete alert rules, and list their messages.')
    .addHelpText('after', examples('mien alert list', 'mien alert create --gallery staff --unknown'))
  withServiceOptions(alert.command('list').description('List all rules.'))
    .addHelpText('after', examples('mien alert list'))
    .action(action(async (options: ServiceOptions) => (await alerts()).list(options)))
  const create = alert
    .command('create')
    .description('Create a rule, and print it with the secret of its webhook. All conditions must hold.')
    .option('--name <TEXT>', 'name of the rule')
    .option('--webhook <URL>', 'receiver of its messages (default: alerts are among the live events only)')
    .option('--camera <ID...>', 'faces of these cameras')
    .option('--gallery <NAME>', 'faces that match this gallery')
    .option('--unknown', 'faces that match none of the gallery; without it, the first face of a person')
    .option('--cooldown <SECONDS>', 'time without another alert about the same person', wholeNumber(0))
  withServiceOptions(create)
    .addHelpText('after', examples('mien alert create --name strangers --gallery staff --unknown'))
    .action(action(async (options: RuleOptions) => (await alerts()).create(options)))
  withServiceOptions(withRuleId(alert.command('test').description('Send a message without a face.')))
    .addHelpText('after', examples(`mien alert test ${EXAMPLE_ID}`))
    .action(action(async (options: ServiceOptions, id: string) => (await alerts()).test(options, id)))
  const deliveries = withRuleId(alert.command('deliveries').description('List the messages of a rule.'))
  withServiceOptions(
    deliveries.addOption(
      new Option('--state <STATE>', 'messages in this state').choices(['pending', 'delivered', 'failed']),
    ),
  )
    .addHelpText('after', examples(`mien alert deliveries ${EXAMPLE_ID} --state failed`))
    .action(action(async (options: DeliveryOptions, id: string) => (await alerts()).deliveries(options, id)))
  withServiceOptions(withRuleId(alert.command('delete').description('Delete a rule with its messages.')))
    .addHelpText('after', examples(`mien alert delete ${EXAMPLE_ID}`))
    .action(action(async (options: ServiceOptions, id: string) => (await alerts()).remove(options, id)))
}

const withRuleId = (command: Command): Command => command.argument('<ID>', 'ID of the rule')

interface EventsOptions extends ServiceOptions {
  alerts?: boolean
  camera?: string[]
  after?: number
  limit?: number
}

export function addEvents(mien: Command): void {
  const command = mien
    .command('events')
    .description('Print the events of cameras as they arrive, as lines of JSON.')
    .option('--alerts', 'alerts of all rules, too')
    .option('--camera <ID...>', 'events of these cameras')
    .option('--after <ID>', 'begin after this id (default: with the events from now on)', wholeNumber(0))
    .option('--limit <N>', 'end after N lines (default: never)', wholeNumber(1))
  withServiceAddress(command)
    .addHelpText('after', examples('mien events --alerts'))
    .action(action(printEvents))
}

async function printEvents(options: EventsOptions): Promise<number> {
  const { alerts, camera, after, limit = Number.POSITIVE_INFINITY } = options
  const client = await (await import('../api/service.ts')).clientOf(options)
  const given = { ...omitUndefined('cam_ids', camera), lastEventId: after?.toString() }
  let lines = 0
  for await (const item of alerts ? client.events({ ...given, alerts }) : client.events(given)) {
    console.log(JSON.stringify(item))
    if (++lines >= limit) break
  }
  return 0
}
