/** Settings that change while the service runs. A stored value wins over the initial one, of facenapi.ini or the environment. */
import { ServiceError } from '../../../contract/errors.ts'
import { FACE_LIMITS } from '../../../contract/limits/faces.ts'
import {
  SETTING_NAMES,
  type ServiceSettings,
  type SettingName,
  type Settings,
} from '../../../contract/model/service-state.ts'
import type { Options, ReadOptions } from '../../configuration/options.ts'
import { hasSeveralOwners } from '../../metadata/access/owners.ts'
import { changeSettings, storedSettings } from '../../metadata/connection/cores.ts'
import type { Database } from '../../metadata/database.ts'
import { type RepeatedTask, repeatedly } from '../repeatedly.ts'

/** The settings of the options as read at the start, and where they come from. */
type InitialOptions = Pick<ReadOptions, 'options' | 'origins'>

/** Settings with their origins and initial values. */
export const describedSettings = (
  { options, origins }: InitialOptions,
  stored: Partial<Settings>,
): ServiceSettings['settings'] => {
  const values = { ...options, ...stored }
  return SETTING_NAMES.map(name => ({
    name,
    value: values[name],
    origin: name in stored ? 'setting' : (origins[name] ?? 'default'),
    initial: options[name],
  }))
}

export interface LiveSettings {
  /** The options with the present values of the settings. A change of the settings changes this object. */
  readonly options: Options
  state(): Promise<ServiceSettings>
  /** Throws FORBIDDEN for a change by one of several owners. */
  update(changed: Partial<Settings>, reset: readonly SettingName[]): Promise<ServiceSettings>
  /** Follows changes by other cores and by `mien settings`. `failed` receives errors; the present values then stay. */
  follow(failed: (error: unknown) => void, everyMs?: number): RepeatedTask
}

/** Reads the stored settings. */
export async function openSettings(database: Database, initial: InitialOptions): Promise<LiveSettings> {
  const options = { ...initial.options }
  const refresh = async (): Promise<Partial<Settings>> => {
    const stored = await storedSettings(database)
    Object.assign(options, initial.options, stored)
    return stored
  }
  const state = async (): Promise<ServiceSettings> => ({
    settings: describedSettings(initial, await refresh()),
    ...((await hasSeveralOwners(database)) && { fixed_by: 'owners' as const }),
  })
  await refresh()
  return {
    options,
    state,
    async update(changed, reset) {
      if (await hasSeveralOwners(database)) {
        const stored = await refresh()
        const isChange =
          reset.some(name => name in stored) ||
          SETTING_NAMES.some(name => name in changed && changed[name] !== options[name])
        if (isChange) await refuseOneOfSeveral(database, 'mien settings set NAME VALUE')
      } else await changeSettings(database, changed, reset)
      return state()
    },
    follow: (failed, everyMs = FACE_LIMITS.settingsEveryMs) =>
      repeatedly(everyMs, () => refresh().then(() => {}, failed)),
  }
}

/** Throws FORBIDDEN when one of several owners changes the whole service. The operator uses `command` instead. */
export async function refuseOneOfSeveral(database: Database, command: string): Promise<void> {
  if (await hasSeveralOwners(database))
    throw new ServiceError('FORBIDDEN', {
      reason: `This is the same for all owners of this service, and one of them cannot change it. The operator can, with: ${command}`,
    })
}
