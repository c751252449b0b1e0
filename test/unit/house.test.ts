/** Structure of the code: import rules, no import cycles. See docs/architecture.md. */
import { glob, readFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { cruise, type ICruiseResult, type IForbiddenRuleType } from 'dependency-cruiser'
import { measureWeight } from '#commands/development/weight.ts'
import { ROOT } from '#test/support/root.ts'

const FOLDERS = ['contract', 'edge', 'core', 'wasm', 'models', 'commands', 'clients', 'console', 'camera']

/** What a newcomer has to read. A commit that lowers a number writes the lower one. Only an agreed feature raises one. */
const BUDGET = {
  tokens: 1_152_643,
  sourceFiles: 768,
  operations: 88,
  commands: 26,
  options: 165,
  variables: 49,
  tables: 30,
  docsWords: 26_995,
  decisions: 19,
}

/** Calls that no seed of the simulator could decide. */
const DIRECT =
  /(?<![\w.])(set(Timeout|Interval|Immediate)\(|(Date|performance)\.now\b|Math\.random\b|new Date\(\))|\brandomUUID\b|AbortSignal\.timeout|timers\/promises/

/** `from` may not import `to`; both are regular expressions on paths. */
const never = (name: string, from: string, to: string, fromNot?: string): IForbiddenRuleType => ({
  name,
  severity: 'error',
  from: fromNot === undefined ? { path: from } : { path: from, pathNot: fromNot },
  to: { path: to },
})

const apart = ['vector-store', 'metadata', 'embedding', 'pictures', 'photos', 'network']

const RULES: IForbiddenRuleType[] = [
  { name: 'no import cycles', severity: 'error', from: {}, to: { circular: true } },
  never('edge does not import core', '^edge/', '^core/'),
  never(
    'sources do not import commands, benchmarks or tests',
    '^(contract|edge|core|wasm|models)/',
    '^(commands|bench|test)/',
  ),
  never(
    'the contract imports no other folder',
    '^contract/',
    '^(edge|wasm|models|commands|core|bench|test)/',
  ),
  never('the contract imports the schema library only', '^contract/', '^node_modules/(?!zod/)'),
  never('wasm imports only models and the contract', '^wasm/', '^(edge|commands|core)/'),
  never('models import only the contract', '^models/', '^(edge|wasm|commands|core)/'),
  never('core does not import edge', '^core/', '^edge/'),
  never(
    'clients import nothing of the service',
    '^clients/',
    '^(contract|edge|core|wasm|models|commands|bench|test|node_modules)/',
  ),
  never('the service does not import its clients', '^(contract|edge|core|wasm|models)/', '^clients/'),
  never(
    'no other folder imports the console',
    '^(contract|edge|core|wasm|models|commands|clients)/',
    '^console/',
  ),
  never(
    'the console imports only its client and the contract',
    '^console/',
    '^(edge|core|wasm|models|commands|bench|test)/|^node_modules/(?!preact/)',
  ),
  never(
    'only commands import the camera client',
    '^(contract|edge|core|wasm|models|clients|console)/',
    '^camera/',
  ),
  never(
    'the camera client imports its client, vision, models, and the embedding, contract and log of core',
    '^camera/',
    '^(edge|commands|console|bench|test)/|^core/(?!embedding/|files/|log)',
  ),
  never(
    'the MQTT bridge does not import the rest of the camera client',
    '^camera/mqtt/',
    '^camera/(?!mqtt/)|^(wasm|models)/|^core/(?!log)',
  ),
  never(
    'the camera client imports only the broker of the bridge',
    '^camera/(?!mqtt/)',
    '^camera/mqtt/(?!broker/)',
  ),
  ...apart.map(folder =>
    never(
      `${folder} does not import its neighbours`,
      `^core/${folder}/`,
      `^core/(?!files/|encryption/|${folder}/${folder === 'photos' ? '|network/' : ''})`,
    ),
  ),
  never(
    'rows know nothing of shards in several places',
    '^core/vector-store/rows/',
    '^core/vector-store/sharding/',
  ),
  never(
    'codes know nothing of indexes, rows and shards',
    '^core/vector-store/codes/',
    '^core/vector-store/(index|rows|shard|sharding|postgres)/',
  ),
  never(
    'indexes know nothing of rows and shards',
    '^core/vector-store/index/',
    '^core/vector-store/(rows|shard|sharding|postgres)/',
  ),
  never('calibration imports no other folder of core', '^core/calibration/', '^core/(?!calibration/)'),
  never('encryption imports only files', '^core/encryption/', '^core/(?!files/|encryption/)'),
  never('operations do not import HTTP', '^core/operations/', '^core/(http|server)'),
  never(
    'hono is imported only in edge and core/http',
    '^(core|wasm|models)/',
    '^node_modules/(hono|@hono)/',
    '^core/(server|http/)',
  ),
  never(
    'libSQL and drizzle are imported only in core/metadata',
    '^(core|edge|wasm|models)/',
    '^node_modules/(drizzle-orm|@libsql)/',
    '^core/metadata/',
  ),
  never(
    'pg is imported only in core/vector-store/postgres',
    '^(core|edge|wasm|models)/',
    '^node_modules/pg/',
    '^core/vector-store/postgres/',
  ),
  never(
    'aws4fetch is imported only in core/pictures/bucket',
    '^(core|edge|wasm|models)/',
    '^node_modules/aws4fetch/',
    '^core/pictures/bucket/',
  ),
  never(
    'prom-client is imported only in core/metrics',
    '^(core|edge|wasm|models)/',
    '^node_modules/prom-client/',
    '^core/metrics/',
  ),
  never(
    'ONNX Runtime is imported only in wasm/runtime and core/embedding',
    '^(core|edge|wasm|models)/',
    '^node_modules/onnxruntime-',
    '^(wasm/runtime/|core/embedding/)',
  ),
  {
    name: 'code for workerd imports no Node modules',
    severity: 'error',
    from: { path: '^(edge|contract|wasm|clients|console)/', pathNot: '(\\.node|build)\\.ts$' },
    to: { dependencyTypes: ['core'] },
  },
]

describe('structure of the code', () => {
  let result: ICruiseResult

  beforeAll(async () => {
    const { output } = await cruise(
      FOLDERS,
      {
        baseDir: ROOT,
        validate: true,
        ruleSet: { forbidden: RULES },
        tsPreCompilationDeps: true,
        doNotFollow: { path: 'node_modules' },
        exclude: { path: '(models|wasm|edge)/built|clients/typescript/dist' },
        enhancedResolveOptions: { exportsFields: ['exports'], conditionNames: ['import', 'types'] },
      },
      undefined,
      undefined,
    )
    result = output as ICruiseResult
  }, 120_000)

  it('is checked for each source file', async () => {
    const sources = await sourceFiles(FOLDERS)
    const read = result.modules.map(module => module.source).filter(source => /\.tsx?$/.test(source))
    expect(read).toEqual(expect.arrayContaining(sources.filter(source => !source.endsWith('.d.ts'))))
  })

  it('has no forbidden import and no import cycle', () => {
    const broken = result.summary.violations.map(({ rule, from, to }) => `${rule.name}: ${from} -> ${to}`)
    expect(broken).toEqual([])
  })

  it('is not heavier than its budget', async () => {
    const { folders, ...weight } = await measureWeight(ROOT)
    const heavier = Object.entries(BUDGET).flatMap(([name, most]) => {
      const now = weight[name as keyof typeof BUDGET]
      return now > most ? [`${name}: ${now} instead of ${most}`] : []
    })
    expect(heavier, 'take something away in the same commit (`npm run weight`)').toEqual([])
    expect(folders.map(({ folder }) => folder)).toEqual(expect.arrayContaining(FOLDERS))
  })

  it('has no two folders side by side that import each other', () => {
    const arrows = new Set(
      result.modules.flatMap(({ source, dependencies }) =>
        dependencies.map(({ resolved }) => `${dirname(source)} ${dirname(resolved)}`),
      ),
    )
    const pairs = [...arrows].filter(arrow => {
      const [from, to] = arrow.split(' ') as [string, string]
      const isNested = `${from}/`.startsWith(`${to}/`) || `${to}/`.startsWith(`${from}/`)
      return from < to && !isNested && arrows.has(`${to} ${from}`)
    })
    expect(pairs).toEqual([])
  })

  it('has no test that climbs four folders', async () => {
    const climbing: string[] = []
    for (const file of await sourceFiles(['bench', 'test']))
      if (/from '(\.\.\/){4}/.test(await readFile(join(ROOT, file), 'utf8'))) climbing.push(file)
    expect(climbing).toEqual([])
  })

  it('lets no benchmark import a test', async () => {
    const importing: string[] = []
    for (const file of await sourceFiles(['bench']))
      if (/'((\.\.\/)+|#)test\/(?!support\/)/.test(await readFile(join(ROOT, file), 'utf8')))
        importing.push(file)
    expect(importing).toEqual([])
  })

  it('has no program that runs before its constants are defined', async () => {
    const early: string[] = []
    for (const file of await sourceFiles(['bench', 'commands']))
      if (
        /^(await run|try|if \(isMain).*\n(.*\n)*(export )?(const|let|class) /m.test(
          await readFile(join(ROOT, file), 'utf8'),
        )
      )
        early.push(file)
    expect(early).toEqual([])
  })

  it('takes time, chance and waiting from contract/environment.ts', async () => {
    const direct: string[] = []
    for (const file of await sourceFiles(['contract', 'core', 'edge', 'camera'])) {
      if (file === 'contract/environment.ts' || file.includes('/built/')) continue
      const [call] = DIRECT.exec(await readFile(join(ROOT, file), 'utf8')) ?? []
      if (call !== undefined) direct.push(`${file}: ${call.trim()}`)
    }
    expect(direct).toEqual([])
  })

  it('lets threads run without what preload.ts adds, which commands load in their first thread only', async () => {
    const imports = new Map(
      result.modules.map(({ source, dependencies }) => [source, dependencies.filter(one => !one.typeOnly)]),
    )
    const reached = new Set(
      [...imports.keys()].filter(source => /^(core|camera)\/.*\.worker\.ts$/.test(source)),
    )
    for (const source of reached) for (const { resolved } of imports.get(source) ?? []) reached.add(resolved)
    const added: string[] = []
    for (const source of reached)
      if (
        /^\w.*(?<!\.d)\.ts$/.test(source) &&
        /withResolvers|Map\.groupBy/.test(await readFile(join(ROOT, source), 'utf8'))
      )
        added.push(source)
    expect(added).toEqual([])
  })

  it('opens each source file with a doc comment', async () => {
    const silent: string[] = []
    for (const file of await sourceFiles(FOLDERS))
      if (!(await readFile(join(ROOT, file), 'utf8')).startsWith('/**')) silent.push(file)
    expect(silent).toEqual([])
  })
})

async function sourceFiles(folders: string[]) {
  const files: string[] = []
  for await (const file of glob(
    folders.map(folder => `${folder}/**/*.{ts,tsx}`),
    { cwd: ROOT },
  ))
    if (!file.startsWith('clients/typescript/dist/')) files.push(file)
  return files.sort()
}
