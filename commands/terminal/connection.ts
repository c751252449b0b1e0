/** Finds the service and the token of a command that uses the API. */
import { type ClientOptions, connectionOf, MienClient } from '../../clients/typescript/src/client.ts'
import { type Send, sender } from '../../clients/typescript/src/send.ts'
import { textIn } from './bounded-file.ts'
import { type GlobalOptions, UsageError } from './command-line.ts'
import { dataFolder } from './paths.ts'
import { readReady } from './ready-file.ts'

export interface ConnectionOptions extends GlobalOptions {
  /** URL of the service, of --url. Default: MIEN_URL. */
  url?: string
  /** File with the token, of --token-file. */
  tokenFile?: string
  /** How often a request is repeated after a temporary failure. Default: the retries of the client. */
  retries?: number
  /** Longest time of a request in milliseconds. Default: REQUEST_MS. */
  timeoutMs?: number
}

export interface Connection {
  client: MienClient
  /** Sends a request that the client has no method for. */
  send: Send
  /** URL of the service, without a slash at its end. */
  address: string
}

/** Longest time of one request in milliseconds. The service itself queues requests for 30 s. */
const REQUEST_MS = 120_000

/**
 * The service at the URL, or the running one of the data folder. Throws UsageError for a URL without a token, and
 * an Error if no service runs. The token never comes from the command line, which other users can read.
 */
export async function connect(
  { url: given, tokenFile, data, ...rest }: ConnectionOptions,
  env: NodeJS.ProcessEnv = process.env,
): Promise<Connection> {
  const url = given ?? env.MIEN_URL
  const token = tokenFile === undefined ? env.MIEN_TOKEN : await tokenIn(tokenFile, env)
  const folder = dataFolder(data)
  const ready = url ? undefined : await readReady(folder)
  if (url && !token)
    throw new UsageError('A URL needs a token: set MIEN_TOKEN, or name a file with --token-file.')
  if (!url && !ready)
    throw new Error(
      `No service runs on ${folder}. Start it with "mien start", or name a service with --url and its token with MIEN_TOKEN.`,
    )
  return connectionTo({ url: url || ready!.edge, token: token || ready!.token, ...rest })
}

/** A client of the service that a command names. Throws like `connect`. */
export const clientOf = async (options: ConnectionOptions): Promise<MienClient> =>
  (await connect(options)).client

function connectionTo(service: Omit<ClientOptions, 'fetch'> & { url: string | URL }): Connection {
  try {
    const options = { timeoutMs: REQUEST_MS, ...service }
    const connection = connectionOf(options)
    const address = connection.base.slice(0, -'/v1'.length)
    return { client: new MienClient(options), send: sender(connection), address }
  } catch (error) {
    if (error instanceof TypeError) throw new UsageError(error.message, { cause: error })
    throw error
  }
}

async function tokenIn(path: string, env: NodeJS.ProcessEnv) {
  const text = (await textIn('--token-file', path, env)).trim()
  if (text === '') throw new UsageError(`--token-file names ${path}, which is empty.`)
  return text
}
