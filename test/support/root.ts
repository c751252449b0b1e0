/** Where the checkout is. */
import { join } from 'node:path'

export const ROOT = join(import.meta.dirname, '..', '..')
