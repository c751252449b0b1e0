/** The running service for verbs that use its API, and the output of its answers. */
import type { MienClient } from '../../clients/typescript/src/index.ts'
import { printJson, printJsonArray } from '../terminal/command-line.ts'
import { connect } from '../terminal/connection.ts'
import { dataFolder } from '../terminal/paths.ts'
import { type Cell, printTable } from '../terminal/table.ts'
import type { ServiceOptions } from './options.ts'

/** A client of the chosen service. Throws UsageError for a URL without a token, and ServiceNotRunning. */
export async function clientOf({ url, tokenFile, data }: ServiceOptions): Promise<MienClient> {
  return (await connect({ url, tokenFile, data: dataFolder(data) })).client
}

/** Prints a list as a table, or as a JSON array. */
export async function printList<Entry>(
  entries: AsyncIterable<Entry>,
  { json }: ServiceOptions,
  rowOf: (entry: Entry) => Record<string, Cell>,
  none: string,
): Promise<number> {
  if (json) await printJsonArray(entries)
  else {
    const rows: Record<string, Cell>[] = []
    for await (const entry of entries) rows.push(rowOf(entry))
    printTable(rows, none)
  }
  return 0
}

/** Prints one object as lines of names and values, or as JSON. */
export function printObject(document: object, { json }: ServiceOptions): number {
  if (json) printJson(document)
  else
    printTable(
      Object.entries(document).map(([field, value]) => ({
        field,
        value: typeof value === 'object' ? JSON.stringify(value) : String(value),
      })),
      '',
    )
  return 0
}
