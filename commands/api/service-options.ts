/** Options that choose the service and the output of verbs that use the API. */
import type { Command } from 'commander'
import type { GlobalOptions } from '../terminal/command-line.ts'

export interface ServiceOptions extends GlobalOptions {
  url?: string
  tokenFile?: string
  json?: boolean
}

/** Adds the options that choose the service. */
export const withServiceAddress = (command: Command): Command =>
  command
    .optionsGroup('Service:')
    .option(
      '--url <URL>',
      'the service (MIEN_URL); its token comes from MIEN_TOKEN (default: that of --data)',
    )
    .option('--token-file <FILE>', 'file with the token')

/** Adds the options that choose the output and the service. */
export const withServiceOptions = (command: Command): Command =>
  withServiceAddress(command.option('--json', 'print the answer of the API as JSON'))
