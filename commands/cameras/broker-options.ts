/** Options of an MQTT broker. The password comes from a file: other users can read the command line. */
import { InvalidArgumentError } from 'commander'
import type { Broker } from '../../camera/mqtt/broker/connection.ts'
import { TOPIC } from '../../camera/mqtt/topics.ts'
import { textIn } from '../terminal/bounded-file.ts'
import { UsageError } from '../terminal/command-line.ts'

export interface BrokerOptions {
  brokerLogin?: string
  brokerCa?: string
}

/** Help of the options that `mien mqtt` and `mien watch --frigate` share. */
export const BROKER_LOGIN = [
  '--broker-login <FILE>',
  'file with the user and the password of the broker, a line each',
] as const
export const BROKER_CA = [
  '--broker-ca <FILE>',
  'certificate authority of the broker, PEM (default: the authorities of the system)',
] as const

/** A base topic or a prefix. Throws InvalidArgumentError. */
export function topic(text: string): string {
  if (TOPIC.test(text)) return text
  throw new InvalidArgumentError('Expected letters, digits, "_" and "-", in up to five parts between "/".')
}

/** The broker at the URL. Throws UsageError, whose text contains no secret. */
export async function brokerOf(
  name: string,
  url: string | undefined,
  { brokerLogin, brokerCa }: BrokerOptions,
  env: NodeJS.ProcessEnv = process.env,
): Promise<Broker> {
  return {
    url: brokerUrl(name, url),
    ...(await loginOf(brokerLogin, env)),
    ...(brokerCa && { ca: await textIn('--broker-ca', brokerCa, env) }),
  }
}

function brokerUrl(name: string, text: string | undefined) {
  const url = text && URL.canParse(text) ? new URL(text) : undefined
  if (url && (url.username || url.password))
    throw new UsageError(`${name}: the URL must have no user and password. Use --broker-login.`)
  const isBare = url && url.hostname !== '' && /^\/?$/.test(url.pathname) && !url.search && !url.hash
  if (!url || !/^mqtts?:$/.test(url.protocol) || !isBare)
    throw new UsageError(`${name}: expected mqtt://HOST or mqtts://HOST, each also with :PORT.`)
  return `${url.protocol}//${url.host}`
}

async function loginOf(
  file: string | undefined,
  env: NodeJS.ProcessEnv,
): Promise<Pick<Broker, 'user' | 'password'>> {
  if (file === undefined) return {}
  const [user, password] = (await textIn('--broker-login', file, env)).split(/\r?\n/)
  if (!user || !password)
    throw new UsageError('--broker-login: expected a file with two lines, the user and the password.')
  return { user, password }
}
