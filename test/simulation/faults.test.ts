/** The simulator finds planted defects. */

import { execFileSync, spawnSync } from 'node:child_process'
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ROOT } from '#test/support/root.ts'
import FAULTS from './faults.json' with { type: 'json' }

const SOURCES = [
  'contract',
  'core',
  'wasm',
  'models',
  'commands',
  'test/simulation',
  'test/support',
  'package.json',
]

/** With MIEN_FAULT_SEEDS, all defects are planted, which takes hours, and nine of ten must be found. Else the first ones, which soon show. */
const { MIEN_FAULT_SEEDS } = process.env
const SEEDS = Number(MIEN_FAULT_SEEDS ?? 60)
const PLANTED = MIEN_FAULT_SEEDS === undefined ? FAULTS.slice(0, 2) : FAULTS
const MOST_MISSED = MIEN_FAULT_SEEDS === undefined ? 0 : Math.floor(FAULTS.length / 10)

const copy = mkdtempSync(join(tmpdir(), 'mien-faults-'))
afterAll(() => rmSync(copy, { recursive: true, force: true }))

function copySources() {
  const files = execFileSync('git', ['ls-files', '-z', ...SOURCES], { cwd: ROOT, encoding: 'utf8' })
  for (const file of files.split('\0').filter(Boolean)) cpSync(join(ROOT, file), join(copy, file))
  for (const made of ['node_modules', 'wasm/built', 'models/built'])
    symlinkSync(join(ROOT, made), join(copy, made))
}

/** The first seed that finds a defect; undefined when none does. */
function firstSeedOf({ name, file, from, to }: (typeof FAULTS)[number]) {
  const path = join(copy, file)
  const text = readFileSync(path, 'utf8')
  if (text.split(from).length !== 2) throw new Error(`${file} does not have the text of "${name}" once.`)
  writeFileSync(
    path,
    text.replace(from, () => to),
  )
  const script = join(copy, 'commands', 'development', 'simulate.ts')
  const { stdout } = spawnSync(
    process.execPath,
    [
      ...process.execArgv.filter(flag => flag.startsWith('--no-wasm')),
      script,
      '--seeds',
      String(SEEDS),
      '--until-failure',
    ],
    { cwd: copy, encoding: 'utf8' },
  )
  writeFileSync(path, text)
  return /^seed \d+: .*/m.exec(stdout)?.[0]
}

it('has the text of each planted defect once in the sources', () => {
  const missing = FAULTS.filter(
    ({ file, from }) => readFileSync(join(ROOT, file), 'utf8').split(from).length !== 2,
  )
  expect(missing.map(({ name }) => name)).toEqual([])
})

it(`finds ${PLANTED.length - MOST_MISSED} of ${PLANTED.length} planted defects within ${SEEDS} seeds`, {
  tags: 'long',
  timeout: 7_200_000,
}, () => {
  copySources()
  const missed: string[] = []
  for (const fault of PLANTED) {
    const how = firstSeedOf(fault)
    if (how === undefined) missed.push(fault.name)
    process.stdout.write(`${fault.name}: ${how ?? 'not found'}\n`)
  }
  expect(missed.length, missed.join(', ')).toBeLessThanOrEqual(MOST_MISSED)
})
