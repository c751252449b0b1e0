/** `npm run simulate`: runs the histories of many seeds, or repeats one and prints its last steps. */
import { simulate } from '#test/simulation/simulate.ts'
import { action, programNamed, runProgram } from '../terminal/command-line.ts'

/** Steps that are printed before a failure. */
const SHOWN_STEPS = 60

interface Options {
  seeds: string
  first: string
  seed?: string
  untilFailure?: boolean
}

async function run({ seeds, first: from, seed: repeated, untilFailure }: Options): Promise<number> {
  const first = Number(repeated ?? from)
  const count = repeated === undefined ? Number(seeds) : 1
  const began = performance.now()
  let steps = 0
  let crashes = 0
  let failures = 0
  for (let seed = first; seed < first + count; seed++) {
    const history = await simulate(seed)
    steps += history.steps
    crashes += history.crashes
    if (repeated !== undefined) console.log(`digest ${history.digest}`)
    if (history.failure === undefined) continue
    failures++
    const { failure, trace } = history
    if (repeated !== undefined) console.log(trace.slice(-SHOWN_STEPS).join('\n'))
    const text = failure instanceof Error ? (repeated ? failure.stack : failure.message) : failure
    console.log(`seed ${seed}: ${text}`)
    if (untilFailure) break
  }
  const seconds = ((performance.now() - began) / 1000).toFixed(1)
  console.log(`${count} histories, ${steps} steps, ${crashes} crashes, ${failures} failures, ${seconds} s`)
  return failures > 0 ? 1 : 0
}

const program = programNamed('npm run simulate', 'Runs the histories of many seeds, or repeats one.')
  .option('--seeds <COUNT>', 'number of histories', '300')
  .option('--first <SEED>', 'the first seed', '1')
  .option('--seed <SEED>', 'repeat this one, and print its last steps')
  .option('--until-failure', 'end at the first failure')
  .action(action(run))
await runProgram(program, process.argv.slice(2))
