/** The key that a command is given in the environment, and the data key of the folder that it works in. */
import { readOperatorKey } from '../../core/configuration/encryption-key.ts'
import type { DataKey } from '../../core/encryption/encrypt.ts'
import { findDataKey, openDataKey } from '../../core/encryption/folder-key.ts'
import type { OperatorKey } from '../../core/encryption/operator-key.ts'
import { pathOf } from './paths.ts'

/** Undefined where the folder is kept in the clear. Throws EncryptionRefused and ConfigurationError. */
export const dataKeyOf = async (data: string): Promise<DataKey | undefined> =>
  findDataKey(data, await givenKey())

/** The same for what may make the folder: one that holds nothing yet becomes an encrypted one when a key is given. */
export const dataKeyFor = async (data: string): Promise<DataKey | undefined> =>
  openDataKey(data, await givenKey())

/** The operator's key; undefined when none is given. Throws ConfigurationError. */
export const givenKey = (variables?: { key: string; file: string }): Promise<OperatorKey | undefined> =>
  readOperatorKey(process.env, variables, path => pathOf(path))
