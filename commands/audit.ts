/** `npm run audit`: asks the registry what is known against the packages that ship. */
import { spawnSync } from 'node:child_process'
import * as z from 'zod'

/** Advisories that we ship in spite of, each with why it can't hurt here; by the package's name. */
const EXCUSED: Record<string, string> = {}

const ReportSchema = z.object({ vulnerabilities: z.record(z.string(), z.object({ severity: z.string() })) })

export type Verdict = { asked: false } | { asked: true; known: string[] }

/** What a report of `npm audit --json` comes to; one of a registry that could not be asked is none. */
export function verdictOn(report: string, excused: Record<string, string> = EXCUSED): Verdict {
  const parsed = ReportSchema.safeParse(asJson(report))
  if (!parsed.success) return { asked: false }
  const found = Object.entries(parsed.data.vulnerabilities).filter(([name]) => !(name in excused))
  return { asked: true, known: found.map(([name, { severity }]) => `${name}: ${severity}`) }
}

function asJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

if (import.meta.main) {
  const { stdout } = spawnSync('npm', ['audit', '--omit=dev', '--json'], {
    encoding: 'utf8',
    shell: process.platform === 'win32',
  })
  const verdict = verdictOn(stdout)
  if (!verdict.asked) console.error('The registry could not be asked: nothing is known of what ships today.')
  else if (verdict.known.length === 0) console.log('Nothing is known against what ships.')
  else {
    console.error(
      `Known against what ships:\n${verdict.known.join('\n')}\n\nRun npm audit --omit=dev for more.`,
    )
    process.exitCode = 1
  }
}
