/** `mien alert`: lists, creates, tests and deletes alert rules, and lists their messages. */
import { type Command, Option } from 'commander'
import { action, examples } from '../terminal/command-line.ts'
import type { DeliveryOptions, RuleOptions } from './alerts.ts'
import { type ServiceOptions, wholeNumber, withServiceOptions } from './options.ts'

const load = () => import('./alerts.ts')

const EXAMPLE_ID = '4be5a0a4f4b14e0d9bd1a2c53a1f7c10'

export function addAlert(mien: Command): void {
  const alert = mien
    .command('alert')
    .description('List, create, test and delete alert rules, and list their messages.')
    .addHelpText('after', examples('mien alert list', 'mien alert create --gallery staff --unknown'))
  withServiceOptions(alert.command('list').description('List all rules.'))
    .addHelpText('after', examples('mien alert list'))
    .action(action(async (options: ServiceOptions) => (await load()).list(options)))
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
    .action(action(async (options: RuleOptions) => (await load()).create(options)))
  withServiceOptions(withId(alert.command('test').description('Send a message without a face.')))
    .addHelpText('after', examples(`mien alert test ${EXAMPLE_ID}`))
    .action(action(async (options: ServiceOptions, id: string) => (await load()).test(options, id)))
  const deliveries = withId(alert.command('deliveries').description('List the messages of a rule.'))
  withServiceOptions(
    deliveries.addOption(
      new Option('--state <STATE>', 'messages in this state').choices(['pending', 'delivered', 'failed']),
    ),
  )
    .addHelpText('after', examples(`mien alert deliveries ${EXAMPLE_ID} --state failed`))
    .action(action(async (options: DeliveryOptions, id: string) => (await load()).deliveries(options, id)))
  withServiceOptions(withId(alert.command('delete').description('Delete a rule with its messages.')))
    .addHelpText('after', examples(`mien alert delete ${EXAMPLE_ID}`))
    .action(action(async (options: ServiceOptions, id: string) => (await load()).remove(options, id)))
}

const withId = (command: Command): Command => command.argument('<ID>', 'ID of the rule')
