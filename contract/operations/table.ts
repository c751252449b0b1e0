/** All operations of the API by name, in the order of the OpenAPI documents. */
import type * as z from 'zod'
import { alertHistoryOperations } from './alert-history.ts'
import { alertOperations } from './alerts.ts'
import { cameraOperations } from './cameras.ts'
import { evidenceOperations } from './evidence.ts'
import { faceOperations } from './faces.ts'
import { galleryOperations } from './galleries.ts'
import { historyOperations } from './history.ts'
import { metaOperations } from './metas.ts'
import type { Declaration } from './operation.ts'
import { personOperations } from './persons.ts'
import { photoOperations } from './photos.ts'
import { serviceOperations } from './service.ts'
import { footageOperations } from './snapshots-and-clips.ts'
import { tokenOperations } from './tokens.ts'
import { userOperations } from './users.ts'

export const DECLARATIONS = {
  ...photoOperations,
  ...faceOperations,
  ...footageOperations,
  ...metaOperations,
  ...galleryOperations,
  ...personOperations,
  ...historyOperations,
  ...evidenceOperations,
  ...cameraOperations,
  ...alertOperations,
  ...alertHistoryOperations,
  ...tokenOperations,
  ...userOperations,
  ...serviceOperations,
}

/** Name of an operation: the `operationId` of the OpenAPI documents, and a label of metrics. */
export type ApiOperation = keyof typeof DECLARATIONS

/** The validated parameters of an operation. */
export type ParametersOf<Name extends ApiOperation> = z.output<(typeof DECLARATIONS)[Name]['parameters']>

/** An operation of any parameters and messages, with its name. */
export interface Operation extends Declaration {
  name: ApiOperation
}

export const OPERATIONS: readonly Operation[] = Object.entries(DECLARATIONS).map(([name, declaration]) => ({
  ...(declaration as Declaration),
  name: name as ApiOperation,
}))
