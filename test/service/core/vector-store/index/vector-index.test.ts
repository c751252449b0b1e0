/** Every kind of index runs the shared suite. */
import { describe } from 'vitest'
import { indexKind } from '#core/vector-store/index/ivf/inverted-file.ts'
import { flat } from './flat-index.ts'
import { behavesAsAVectorIndex } from './vector-index.suite.ts'

describe('ivf', () => behavesAsAVectorIndex(indexKind, rows => Math.ceil(rows / 60)))

describe('flat', () => behavesAsAVectorIndex(flat, () => 1))
