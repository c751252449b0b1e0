/** Reads the picture settings of a command from the environment. */
import { readBucketKeys } from '../../core/configuration/credentials.ts'
import { readConfiguration } from '../../core/configuration/environment.ts'
import type { PictureSettings } from '../../core/pictures/open.ts'
import { pathOf } from './paths.ts'

/** The bucket's address and keys. Throws ConfigurationError. */
export const picturesGiven = async (): Promise<Pick<PictureSettings, 'pictures' | 'bucketKeys'>> => ({
  pictures: readConfiguration(process.env).pictures,
  bucketKeys: await readBucketKeys(process.env, path => pathOf(path)),
})
