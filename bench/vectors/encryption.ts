/** The key of folders that are encrypted to see what that costs. */
import { type OperatorKey, parseOperatorKey } from '../../core/encryption/operator-key.ts'

export const BENCH_KEY_TEXT = '5'.repeat(64)

export const BENCH_KEY = parseOperatorKey(BENCH_KEY_TEXT) as OperatorKey
