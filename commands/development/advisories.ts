/** `npm run audit`: checks the packages that ship for known vulnerabilities. */
import { spawnSync } from 'node:child_process'
import * as z from 'zod'
import { jsonIn, runScript } from '../terminal/command-line.ts'

/** Packages that ship despite an advisory, with the reason why it does not apply; by package name. */
const EXCUSED: Record<string, string> = {}

const ReportSchema = z.object({ vulnerabilities: z.record(z.string(), z.object({ severity: z.string() })) })

type Verdict = { asked: false } | { asked: true; known: string[] }

/** Evaluates a report of `npm audit --json`. `asked: false` when the registry was not reachable. */
export function verdictOn(report: string, excused: Record<string, string> = EXCUSED): Verdict {
  const parsed = ReportSchema.safeParse(jsonIn(report))
  if (!parsed.success) return { asked: false }
  const found = Object.entries(parsed.data.vulnerabilities).filter(([name]) => !(name in excused))
  return { asked: true, known: found.map(([name, { severity }]) => `${name}: ${severity}`) }
}

await runScript(
  import.meta,
  ['npm run audit', 'Asks the npm registry for known vulnerabilities of the packages that ship.'],
  async () => {
    const { stdout } = spawnSync('npm', ['audit', '--omit=dev', '--json'], {
      timeout: 120_000,
      encoding: 'utf8',
      shell: process.platform === 'win32',
    })
    return report(verdictOn(stdout))
  },
)

/** Prints the verdict and returns the exit code: 1 when a vulnerability is known. */
function report(verdict: Verdict): number {
  if (!verdict.asked) console.error('The registry could not be asked: nothing is known of what ships today.')
  else if (verdict.known.length === 0) console.log('Nothing is known against what ships.')
  else {
    const known = verdict.known.join('\n')
    console.error(`Known against what ships:\n${known}\n\nRun npm audit --omit=dev for more.`)
    return 1
  }
  return 0
}
