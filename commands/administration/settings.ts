/** Lists, reads, changes and resets the settings of the service in its metadata. A running service takes a change within seconds. */
import type { SettingName, Settings } from '../../contract/model/service-state.ts'
import { SETTING_FIELDS } from '../../contract/operations/service.ts'
import { readConfiguration } from '../../core/configuration/environment.ts'
import { readOptions } from '../../core/configuration/options.ts'
import { insertEntries, operator } from '../../core/metadata/audit-log/entries.ts'
import { changeSettings, storedSettings } from '../../core/metadata/connection/cores.ts'
import type { Database } from '../../core/metadata/database.ts'
import { describedSettings } from '../../core/operations/service/settings.ts'
import { type GlobalOptions, type JsonOptions, printJson, UsageError } from '../terminal/command-line.ts'
import { withMetadata } from '../terminal/data-folder.ts'
import { printTable } from '../terminal/table.ts'

export const list = (options: JsonOptions): Promise<number> =>
  withMetadata(options, async ({ data, database }) => {
    const { optionsFile } = readConfiguration(process.env)
    const initial = await readOptions({ data, optionsFile }, process.env)
    const settings = describedSettings(initial, await storedSettings(database))
    if (options.json) printJson(settings)
    else
      printTable(
        settings.map(row => ({ ...row, value: textOf(row.value), initial: textOf(row.initial) })),
        '',
      )
    return 0
  })

/** A value as the command line takes it. */
const textOf = (value: boolean | number | null) => `${value ?? 'off'}`

export const set = (options: GlobalOptions, name: SettingName, text: string): Promise<number> => {
  const { success, data, error } = SETTING_FIELDS[name].safeParse(text)
  if (!success) throw new UsageError(`${name} takes ${error.issues[0]?.message}, not "${text}".`)
  return change(options, name, async database => {
    await changeSettings(database, { [name]: data }, [])
    return data ?? 'off'
  })
}

export const reset = (options: GlobalOptions, name: SettingName): Promise<number> =>
  change(options, name, async database => {
    await changeSettings(database, {}, [name])
    return 'reset'
  })

/** Reads the present value of a setting: the stored one, or its initial value. */
export async function settingReader<Name extends SettingName>(
  data: string,
  name: Name,
): Promise<(database: Database) => Promise<Settings[Name]>> {
  const { optionsFile } = readConfiguration(process.env)
  const { options } = await readOptions({ data, optionsFile }, process.env)
  return async database => ({ ...options, ...(await storedSettings(database)) })[name]
}

/** Runs a change and records its result in the audit log. */
const change = (
  options: GlobalOptions,
  name: SettingName,
  run: (database: Database) => Promise<boolean | number | string>,
) =>
  withMetadata(options, async ({ database }) => {
    const subject = { [name]: await run(database) }
    await insertEntries(database, [{ actor: operator(), action: 'settings.update', subject }])
    return 0
  })
