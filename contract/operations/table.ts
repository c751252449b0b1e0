/** All operations of the API by name, in the order of the OpenAPI documents. */
import type * as z from 'zod'
import { accessOperations } from './access.ts'
import { alertOperations } from './alerts.ts'
import { cameraOperations } from './cameras.ts'
import { eventOperations } from './events.ts'
import { faceOperations } from './faces.ts'
import { galleryOperations } from './galleries.ts'
import type { Declaration } from './operation.ts'
import { personOperations } from './persons.ts'
import { photoOperations } from './photos.ts'
import { serviceOperations } from './service.ts'

export const DECLARATIONS = {
  ...photoOperations,
  ...faceOperations,
  ...galleryOperations,
  ...personOperations,
  ...eventOperations,
  ...cameraOperations,
  ...alertOperations,
  ...accessOperations,
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
