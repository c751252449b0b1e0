/** Every kind of index runs the shared suite. */
import { describe } from 'vitest'
import { ivf } from '#core/vector-store/index/ivf/ivf.ts'
import { flat } from './flat-index.ts'
import { behavesAsAVectorIndex } from './vector-index.suite.ts'

describe('ivf', () => behavesAsAVectorIndex(ivf, rows => Math.ceil(rows / 60)))

describe('flat', () => behavesAsAVectorIndex(flat, () => 1))
