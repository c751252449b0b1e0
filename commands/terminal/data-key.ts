/** Reads the operator's key from the environment, and the data key of the command's data folder. */
import { readOperatorKey } from '../../core/configuration/credentials.ts'
import type { DataKey } from '../../core/encryption/encrypt.ts'
import { findDataKey, openDataKey } from '../../core/encryption/folder-key.ts'
import type { OperatorKey } from '../../core/encryption/key-file.ts'
import { pathOf } from './paths.ts'

/** The folder's data key; undefined when it is not encrypted. Throws EncryptionRefused and ConfigurationError. */
export const dataKeyOf = async (data: string): Promise<DataKey | undefined> =>
  findDataKey(data, await givenKey())

/**
 * The data key for commands that may create the folder: an empty folder becomes encrypted when a key is given. Throws
 * like `dataKeyOf`.
 */
export const dataKeyFor = async (data: string): Promise<DataKey | undefined> =>
  openDataKey(data, await givenKey())

/** The operator's key; undefined when none is set. Throws ConfigurationError. */
export const givenKey = (variables?: { key: string; file: string }): Promise<OperatorKey | undefined> =>
  readOperatorKey(process.env, variables, path => pathOf(path))
