/** How a command reaches the pictures of a data folder: where the environment says that they are, and with its keys. */
import { readBucketKeys } from '../../core/configuration/bucket.ts'
import { readConfiguration } from '../../core/configuration/environment.ts'
import type { PictureSettings } from '../../core/pictures/open.ts'
import { pathOf } from './paths.ts'

/** Throws ConfigurationError. */
export const picturesGiven = async (): Promise<Pick<PictureSettings, 'pictures' | 'bucketKeys'>> => ({
  pictures: readConfiguration(process.env).pictures,
  bucketKeys: await readBucketKeys(process.env, path => pathOf(path)),
})
