/** The key of encrypted data folders in benchmarks. */
import { type OperatorKey, parseOperatorKey } from '#core/encryption/key-file.ts'

export const BENCH_KEY_TEXT = '5'.repeat(64)

export const BENCH_KEY = parseOperatorKey(BENCH_KEY_TEXT) as OperatorKey
