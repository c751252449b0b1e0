/** Settings of an enrolment of many photos, and the parameters of each photo. */
import type { EnrolParameters } from '../../clients/typescript/src/index.ts'
import { folderOf } from '../photos/files.ts'

export interface EnrolmentSettings {
  gallery: string
  meta: string
  /** The name of the folder of each photo becomes its meta. */
  usesFolderNames: boolean
  selector: 'biggest' | 'all' | 'reject'
}

/** Parameters of the enrolment of one photo. */
export function parametersOf(
  path: string,
  { gallery, meta, usesFolderNames, selector }: EnrolmentSettings,
): EnrolParameters {
  const used = (usesFolderNames && folderOf(path)) || meta
  return {
    mf_selector: selector,
    ...(used === '' ? {} : { meta: used }),
    ...(gallery === 'default' ? {} : { galleries: [gallery] }),
  }
}
