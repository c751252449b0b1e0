/** `npm run simulate`: runs the histories of many seeds, or repeats one and prints its last steps. */
import { parseArgs } from 'node:util'
import { simulate } from '#test/simulation/simulate.ts'

/** Steps that are printed before a failure. */
const SHOWN_STEPS = 60

const USAGE = 'npm run simulate -- [--seeds COUNT] [--first SEED] [--until-failure] | --seed SEED'

const { values } = parseArgs({
  options: {
    seeds: { type: 'string', default: '300' },
    seed: { type: 'string' },
    first: { type: 'string', default: '1' },
    'until-failure': { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
})
if (values.help) {
  console.log(USAGE)
  process.exit()
}
const first = Number(values.seed ?? values.first)
const count = values.seed === undefined ? Number(values.seeds) : 1
const began = performance.now()
let steps = 0
let crashes = 0
let failures = 0
for (let seed = first; seed < first + count; seed++) {
  const history = await simulate(seed)
  steps += history.steps
  crashes += history.crashes
  if (values.seed !== undefined) console.log(`digest ${history.digest}`)
  if (history.failure === undefined) continue
  failures++
  const { failure, trace } = history
  if (values.seed !== undefined) console.log(trace.slice(-SHOWN_STEPS).join('\n'))
  const text = failure instanceof Error ? (values.seed ? failure.stack : failure.message) : failure
  console.log(`seed ${seed}: ${text}`)
  if (values['until-failure']) break
}
const seconds = ((performance.now() - began) / 1000).toFixed(1)
console.log(`${count} histories, ${steps} steps, ${crashes} crashes, ${failures} failures, ${seconds} s`)
process.exitCode = failures > 0 ? 1 : 0
