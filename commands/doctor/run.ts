/** Runs the checks of `mien doctor` in sequence, and prints their findings. */
import { existsSync } from 'node:fs'
import { type JsonOptions, printJson } from '../terminal/command-line.ts'
import { dataFolder } from '../terminal/paths.ts'
import { readReady } from '../terminal/ready-file.ts'
import { colourText, type Grade } from '../terminal/table.ts'
import { type Check, type Finding, problem, type Subject } from './check.ts'
import { detection, ffmpeg, models, modes } from './installation.ts'
import { clock, disk, memory, node, ports } from './machine.ts'

const CHECKS: Record<string, Check> = { node, memory, disk, clock, ports, modes, models, detection, ffmpeg }

/** Prints the findings and returns the exit code: 1 when there is a problem. */
export async function runDoctor(options: JsonOptions): Promise<number> {
  const data = dataFolder(options.data)
  // The check of the ports finds processes of a killed launcher.
  const ready = await readReady(data).catch(() => undefined)
  const subject = { data, exists: existsSync(data), ready, env: process.env }
  const findings: ({ check: string } & Finding)[] = []
  for (const [check, examine] of Object.entries(CHECKS)) {
    const finding = await findingOf(examine, subject)
    findings.push({ check, ...finding })
    if (!options.json) printFinding(check, finding)
  }
  if (options.json) printJson(findings)
  return findings.some(({ grade }) => grade === 'problem') ? 1 : 0
}

const findingOf = (check: Check, subject: Subject) =>
  check(subject).catch(error =>
    problem(
      `The check failed: ${error instanceof Error ? error.message : String(error)}`,
      'Correct the cause, and run mien doctor again.',
    ),
  )

const NAME_WIDTH = Math.max(...Object.keys(CHECKS).map(name => name.length))
const WIDEST_GRADE = 'problem'.length

function printFinding(check: string, { grade, text, remedy }: Finding) {
  console.log(`${colourText(grade, label(grade))}  ${check.padEnd(NAME_WIDTH)}  ${text}`)
  if (remedy) console.log(`${' '.repeat(WIDEST_GRADE + NAME_WIDTH + 4)}${remedy}`)
}

const label = (grade: Grade) => grade.padEnd(WIDEST_GRADE)
