/** Verbs for what the API keeps: `mien gallery`, `person`, `camera`, `alert` and `events`. */
import { Argument, type Command, Option } from 'commander'
import { ALERT_FORMATS } from '../../contract/model/alert.ts'
import { omitUndefined } from '../../contract/omit-undefined.ts'
import {
  fpirOption,
  personsOption,
  type ServiceOptions,
  wholeNumber,
  withServiceAddress,
  withServiceOptions,
} from '../api/options.ts'
import { action, lazy, verb, verbsOf } from '../terminal/command-line.ts'

export function addGallery(mien: Command): void {
  const gallery = verb(
    mien,
    'gallery',
    'mien gallery list',
    'mien gallery create staff --retention-days 365',
  ).description('List, create, show, change and delete galleries.')
  const add = verbsOf(gallery, () => import('../api/galleries.ts'))
  add('list', 'mien gallery list').description('List the names of all galleries.')
  add('show', 'mien gallery show staff').description('Show a gallery.').argument('<NAME>', 'its name')
  const displayName = () => new Option('--display-name <TEXT>', 'name for people; empty for none')
  add('create', 'mien gallery create staff --retention-days 365 --display-name "Our staff"')
    .description('Create a gallery.')
    .argument('<NAME>', 'its name')
    .addOption(displayName())
    .addOption(retentionOption('gallery'))
  add('change', 'mien gallery change staff --retention-days 30')
    .description('Change a gallery.')
    .argument('<NAME>', 'its name')
    .addOption(displayName())
    .addOption(retentionOption('gallery'))
  add('delete', 'mien gallery delete staff --yes')
    .description('Delete a gallery and the faces in it, from every gallery.')
    .argument('<NAME>', 'its name')
    .option('--yes', 'really delete')
  gallery.commands.forEach(withServiceOptions)
}

export function addCheck(mien: Command): void {
  const check = verb(mien, 'check', 'mien check staff', 'mien check staff --set-aside')
    .description(
      'Find faces under a wrong name, persons that look alike, poor faces and duplicates in a gallery. ' +
        'The exit code is 1 when something is found.',
    )
    .argument('<GALLERY>', 'its name')
    .option('--set-aside', 'leave faces that are not like the others of their person out of searches')
    .action(lazy(() => import('../api/galleries.ts'), 'checkGallery'))
  withServiceOptions(check)
}

const retentionOption = (place: 'gallery' | 'camera'): Option =>
  new Option('--retention-days <N>', `days until a face of the ${place} is deleted`).argParser(wholeNumber(1))

export function addPerson(mien: Command): void {
  const person = verb(mien, 'person', 'mien person list', 'mien person history 7').description(
    'List, show and delete persons, list where cameras saw them, and group stored faces to persons.',
  )
  const add = verbsOf(person, () => import('../api/persons.ts'))
  add('list', 'mien person list --json', 'mien person list --name ann')
    .description('List all persons.')
    .option('--name <TEXT>', 'persons whose name contains TEXT, case and accents aside')
  add('show', 'mien person show 7').description('Show a person.').addArgument(personId())
  add('history', 'mien person history 7')
    .description('List the camera events of a person.')
    .addArgument(personId())
  const mode = (flags: string, text: string, ...others: string[]) => new Option(flags, text).conflicts(others)
  add('group', 'mien person group --preview', 'mien person group', 'mien person group --undo')
    .description(
      'Group the stored faces without a person to persons, in the background, and print the progress.',
    )
    .addOption(mode('--preview', 'only estimate how many persons there would be', 'status', 'stop', 'undo'))
    .addOption(mode('--status', 'only print the progress', 'stop', 'undo'))
    .addOption(mode('--stop', 'stop it, and keep what is done', 'undo'))
    .option('--undo', 'take the persons away from the faces that got them')
  add('delete', 'mien person delete 7 --yes')
    .description('Delete a person and all faces of this person.')
    .addArgument(personId())
    .option('--yes', 'really delete')
  person.commands.forEach(withServiceOptions)
}

const personId = (): Argument => new Argument('<ID>', 'ID of the person').argParser(wholeNumber(0))

const EXAMPLE_CAMERA = '709d6c9d9ab9442f8e3140c49d38fa30'

export function addCamera(mien: Command): void {
  const camera = verb(
    mien,
    'camera',
    'mien camera list',
    'mien camera create --meta "front door"',
  ).description('List, create, show and delete cameras.')
  const add = verbsOf(camera, () => import('../api/cameras.ts'))
  add('list', 'mien camera list').description('List all cameras, without the passwords in their URLs.')
  add(
    'create',
    'mien camera create --meta "front door" --retention-days 30',
    'mien camera create --meta "front door" --stream-file door.url',
  )
    .description('Create a camera, and print its ID.')
    .option('--meta <TEXT>', 'name or place of the camera')
    .option('--stream <URL>', 'URL of its video, without a user, a password and other secrets')
    .option(
      '--stream-file <FILE>',
      'file with the URL, which may have a password; - reads it from standard input',
    )
    .addOption(retentionOption('camera'))
    .option('--snapshot', 'keep the whole picture of each event')
    .option('--clip', 'keep a clip of a few seconds of each event')
  add('show', `mien camera show ${EXAMPLE_CAMERA}`)
    .description('Show a camera, without the password in its URL.')
    .argument('<ID>', 'ID of the camera')
  add('delete', `mien camera delete ${EXAMPLE_CAMERA}`)
    .description('Delete a camera. Its faces and events remain.')
    .argument('<ID>', 'ID of the camera')
  camera.commands.forEach(withServiceOptions)
}

const EXAMPLE_RULE = '4be5a0a4f4b14e0d9bd1a2c53a1f7c10'

export function addAlert(mien: Command): void {
  const alert = verb(
    mien,
    'alert',
    'mien alert list',
    'mien alert create --gallery staff --unknown',
  ).description('List, create, test and delete alert rules, and list their messages.')
  const add = verbsOf(alert, () => import('../api/alerts.ts'))
  add('list', 'mien alert list').description('List all rules.')
  add(
    'create',
    'mien alert create --name strangers --gallery staff --unknown',
    'mien alert create --unknown --webhook https://ntfy.sh/mytopic --format ntfy',
    'mien alert create --name "Ann is here" --person 7 --browsers',
  )
    .description('Create a rule, and print it with the secret of its webhook. All conditions must hold.')
    .option('--name <TEXT>', 'name of the rule')
    .option('--webhook <URL>', 'receiver of its messages (default: alerts are among the live events only)')
    .option(
      '--webhook-file <FILE>',
      'file with the URL, which may have a token; - reads it from standard input',
    )
    .addOption(new Option('--format <NAME>', 'the webhook is a service for phones').choices(ALERT_FORMATS))
    .option('--browsers', 'notifications in browsers that asked for them')
    .option('--camera <ID...>', 'faces of these cameras')
    .addOption(personsOption('--person', 'these persons'))
    .option('--gallery <NAME>', 'people of this gallery')
    .addOption(fpirOption())
    .option('--unknown', 'nobody of the gallery; without it, the first face of a person without a name')
    .option('--cooldown <SECONDS>', 'time without another alert about the same person', wholeNumber(0))
  add('test', `mien alert test ${EXAMPLE_RULE}`)
    .description('Send a message without a face.')
    .argument('<ID>', 'ID of the rule')
  add('deliveries', `mien alert deliveries ${EXAMPLE_RULE} --state failed`)
    .description('List the messages of a rule.')
    .argument('<ID>', 'ID of the rule')
    .addOption(
      new Option('--state <STATE>', 'messages in this state').choices(['pending', 'delivered', 'failed']),
    )
  add('delete', `mien alert delete ${EXAMPLE_RULE}`)
    .description('Delete a rule with its messages.')
    .argument('<ID>', 'ID of the rule')
  alert.commands.forEach(withServiceOptions)
}

interface EventsOptions extends ServiceOptions {
  alerts?: boolean
  camera?: string[]
  after?: number
  limit?: number
}

export function addEvents(mien: Command): void {
  const command = verb(mien, 'events', 'mien events --alerts')
    .description('Print the events of cameras as they arrive, as lines of JSON.')
    .option('--alerts', 'alerts of all rules, too')
    .option('--camera <ID...>', 'events of these cameras')
    .option('--after <ID>', 'begin after this id (default: with the events from now on)', wholeNumber(0))
    .option('--limit <N>', 'end after N lines (default: never)', wholeNumber(1))
  withServiceAddress(command).action(action(printEvents))
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
