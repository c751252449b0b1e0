/** The house: who imports whom, no circles, no long files. See docs/architecture.md. */
import { glob, readFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { cruise, type ICruiseResult, type IForbiddenRuleType } from 'dependency-cruiser'
import { beforeAll, describe, expect, it } from 'vitest'

const ROOT = join(import.meta.dirname, '..', '..')
const ROOMS = ['edge', 'core', 'wasm', 'models', 'commands']
const LONGEST = 300

/** Files of a folder at most. */
const FULLEST = 20

/** `from` may not import `to`; both are regular expressions on paths. */
const never = (name: string, from: string, to: string, fromNot?: string): IForbiddenRuleType => ({
  name,
  severity: 'error',
  from: fromNot === undefined ? { path: from } : { path: from, pathNot: fromNot },
  to: { path: to },
})

const apart = ['vector-store', 'metadata', 'embedding', 'pictures', 'photos']

const RULES: IForbiddenRuleType[] = [
  { name: 'no circles', severity: 'error', from: {}, to: { circular: true } },
  never('edge knows only the contract of core', '^edge/', '^core/(?!contract/)'),
  never('edge is no command', '^(edge|core|wasm|models)/', '^(commands|bench|test)/'),
  never('the contract stands alone', '^core/contract/', '^(edge|wasm|models|commands|core/(?!contract/))'),
  never('the contract imports the schema library only', '^core/contract/', '^node_modules/(?!zod/)'),
  never('wasm knows models and the contract', '^wasm/', '^(edge|commands|core/(?!contract/))', 'build\\.ts$'),
  never('models know the contract', '^models/', '^(edge|wasm|commands|core/(?!contract/))', 'build\\.ts$'),
  never('core does not know edge', '^core/', '^edge/'),
  ...apart.map(room =>
    never(
      `${room} does not know its neighbours`,
      `^core/${room}/`,
      `^core/(?!contract/|files/|encryption/|${room}/)`,
    ),
  ),
  never(
    'calibration knows vectors alone',
    '^core/calibration/',
    '^core/(?!contract/|files/|encryption/|calibration/|vector-store/unit-vector)',
  ),
  never('encryption knows files alone', '^core/encryption/', '^core/(?!files/|encryption/)'),
  never('operations do not know HTTP', '^core/operations/', '^core/(http|server)'),
  never(
    'hono serves in edge and at the door of core',
    '^(core|wasm|models)/',
    '^node_modules/(hono|@hono)/',
    '^core/(server|http/)',
  ),
  never(
    'libSQL metadata is in its room',
    '^(core|edge|wasm|models)/',
    '^node_modules/(drizzle-orm|@libsql)/',
    '^core/metadata/',
  ),
  never(
    'PostgreSQL is behind one shard',
    '^(core|edge|wasm|models)/',
    '^node_modules/pg/',
    '^core/vector-store/postgres/',
  ),
  never(
    'requests to a bucket are signed in one place',
    '^(core|edge|wasm|models)/',
    '^node_modules/aws4fetch/',
    '^core/pictures/bucket/',
  ),
  never(
    'ONNX Runtime has its doors',
    '^(core|edge|wasm|models)/',
    '^node_modules/onnxruntime-',
    '^(wasm/runtime/|core/embedding/)',
  ),
  {
    name: 'no Node in what runs in workerd',
    severity: 'error',
    from: { path: '^(edge|core/contract|wasm)/', pathNot: '(\\.node|build)\\.ts$' },
    to: { dependencyTypes: ['core'] },
  },
]

describe('the house', () => {
  let result: ICruiseResult

  beforeAll(async () => {
    const { output } = await cruise(
      ROOMS,
      {
        baseDir: ROOT,
        validate: true,
        ruleSet: { forbidden: RULES },
        tsPreCompilationDeps: true,
        doNotFollow: { path: 'node_modules' },
        exclude: { path: '(models|wasm|edge)/built' },
        enhancedResolveOptions: { exportsFields: ['exports'], conditionNames: ['import', 'types'] },
      },
      undefined,
      undefined,
    )
    result = output as ICruiseResult
  })

  it('reads every source file', async () => {
    const sources = await sourceFiles(ROOMS)
    const read = result.modules.map(module => module.source).filter(source => source.endsWith('.ts'))
    expect(read).toEqual(expect.arrayContaining(sources.filter(source => !source.endsWith('.d.ts'))))
  })

  it('has no import against its rules and no circle', () => {
    const broken = result.summary.violations.map(({ rule, from, to }) => `${rule.name}: ${from} -> ${to}`)
    expect(broken).toEqual([])
  })

  it(`has no file of more than ${LONGEST} lines`, async () => {
    const long: string[] = []
    for (const file of await sourceFiles([...ROOMS, 'bench', 'test'])) {
      const lines = (await readFile(join(ROOT, file), 'utf8')).split('\n').length - 1
      if (lines > LONGEST) long.push(`${file}: ${lines}`)
    }
    expect(long).toEqual([])
  })

  it(`has no folder of more than ${FULLEST} files`, async () => {
    const folders = Map.groupBy(await sourceFiles([...ROOMS, 'bench', 'test']), dirname)
    const full = [...folders].filter(([, files]) => files.length > FULLEST).map(([folder]) => folder)
    expect(full).toEqual([])
  })

  it('has no benchmark that imports a test', async () => {
    const importing: string[] = []
    for (const file of await sourceFiles(['bench']))
      if (/from '(\.\.\/)+test\//.test(await readFile(join(ROOT, file), 'utf8'))) importing.push(file)
    expect(importing).toEqual([])
  })

  it('opens every file with a sentence that says what it owns', async () => {
    const silent: string[] = []
    for (const file of await sourceFiles(ROOMS))
      if (!(await readFile(join(ROOT, file), 'utf8')).startsWith('/**')) silent.push(file)
    expect(silent).toEqual([])
  })
})

async function sourceFiles(rooms: string[]): Promise<string[]> {
  const files: string[] = []
  for await (const file of glob(
    rooms.map(room => `${room}/**/*.ts`),
    { cwd: ROOT },
  ))
    files.push(file)
  return files.sort()
}
