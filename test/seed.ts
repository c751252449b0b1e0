/** One seed for all randomised tests of a run. `test/summary.ts` prints it. */
import fc from 'fast-check'

fc.configureGlobal({ seed: Number(process.env.MIEN_TEST_SEED) })
