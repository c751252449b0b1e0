/** The options of the API, from files and the environment. */
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { DEFAULT_OPTIONS, type ReadOptions, readOptions } from '#core/configuration/options.ts'
import { temporaryFolder } from '../folder.ts'

const DOCUMENTED = join(import.meta.dirname, '..', '..', '..', '..', 'docs', 'facenapi.ini')

/** A file for the original service, with options that this service does not have. */
const ORIGINAL_STYLE = `# -*- coding: utf-8 -*-
# facenapi configuration

listen = '0.0.0.0:8000'
max_upload_size = 10 * 1024 * 1024
extraction_api = "http://localhost:18666/"
tntapi_shards = [
    {'name': 'shard1', 'url': "http://localhost:8001/v1/"},   # the only one
]

person_identify = True
person_identify_threshold = .7
friend_interval = 7 * 24 * 3600
gae = 1
model_gender = "fr_1_gender0"
tntapi_ignore_search_errors = False
`

/** Reads options from a file of this text. Messages lose the name of the folder. */
async function read(text: string, environment: Record<string, string> = {}): Promise<ReadOptions> {
  const data = await temporaryFolder()
  const optionsFile = join(data, 'options.ini')
  await writeFile(optionsFile, text)
  const short = (message: string) => message.replaceAll(`${data}/`, '')
  try {
    const { warnings, ...found } = await readOptions({ data, optionsFile }, environment)
    return { ...found, warnings: warnings.map(short) }
  } catch (error) {
    throw new Error(short((error as Error).message))
  }
}

describe('readOptions', () => {
  it('returns the defaults when no option is set', async () => {
    const read = await readOptions({ data: await temporaryFolder(), optionsFile: undefined }, {})
    expect(read).toEqual({ options: DEFAULT_OPTIONS, origins: {}, warnings: [] })
  })

  it('finds each option once in docs/facenapi.ini, with its default, which is to be unset for one', async () => {
    const read = await readOptions({ data: '', optionsFile: DOCUMENTED }, {})
    expect(read).toMatchObject({ options: DEFAULT_OPTIONS, warnings: [] })
    const lines = (await readFile(DOCUMENTED, 'utf8')).split('\n')
    for (const name of Object.keys(DEFAULT_OPTIONS))
      expect(lines.filter(line => line.replace(/^# /, '').startsWith(`${name} = `))).toHaveLength(1)
  })

  it('reads a file for the original service', async () => {
    const { options, warnings } = await read(ORIGINAL_STYLE)
    expect(options).toEqual({
      ...DEFAULT_OPTIONS,
      person_identify: true,
      person_identify_threshold: 0.7,
      friend_interval: 604_800,
      gae: true,
      model_gender: 'fr_1_gender0',
      tntapi_ignore_search_errors: false,
    })
    expect(warnings).toHaveLength(4)
  })

  it('warns of an unknown option with its position and the nearest known name', async () => {
    const { warnings } = await read('gae = True\nperson_identity = True\n')
    expect(warnings).toEqual([
      'options.ini:2:19: person_identity is not an option of this service. The nearest is person_identify.',
    ])
  })

  it.each<[string, string, unknown]>([
    ['MIEN_GAE', 'true', true],
    ['MIEN_GAE', 'FALSE', false],
    ['MIEN_GAE', '', true],
    ['MIEN_PERSON_IDENTIFY_THRESHOLD', 'None', null],
    ['MIEN_FRIEND_INTERVAL', '2 * 24 * 3600', 172_800],
    ['MIEN_MODEL_AGE', 'fr_1_age0', 'fr_1_age0'],
    ['MIEN_UPDATE_URL', 'https://a.example/latest', 'https://a.example/latest'],
    ['MIEN_MODEL_AGE', '"fr_1_age0"', 'fr_1_age0'],
  ])('prefers %s=%s in the environment to the file', async (variable, text, value) => {
    const name = variable.slice('MIEN_'.length).toLowerCase()
    const { options } = await read('gae = True\nfriend_interval = 1\nperson_identify_threshold = .7', {
      [variable]: text,
    })
    expect(options).toMatchObject({ [name]: value })
  })

  it.each([
    ['person_identify = "yes"', '1:19: person_identify must be True or False.'],
    ['\n  \nperson_identify_threshold = 75', '3:29: person_identify_threshold must be a number from 0 to 1.'],
    ['person_identify_threshold = "0.7"', '1:29: person_identify_threshold must be a number from 0 to 1.'],
    ['friend_count = 0', '1:16: friend_count must be a whole number from 1 on.'],
    ['model_age = "fr_2"', "1:13: model_age must be 'fr_1_age0' or ''."],
    ['update_url = "ftp://a"', "1:14: update_url must be an http or https address, or ''."],
    ['gae = True\nimport os', '2:1: Only assignments such as `name = value` are allowed here.'],
  ])('refuses %j with its position', async (text, complaint) => {
    await expect(read(text)).rejects.toThrow(`options.ini:${complaint}`)
  })

  it('reports all faults at once, in the file and the environment', async () => {
    const refused = read('gae = 2\nfriend_count = -1', { MIEN_PERSON_IDENTIFY: 'perhaps' })
    await expect(refused).rejects.toThrow(/gae must.*\n.*friend_count must.*\nMIEN_PERSON_IDENTIFY must/)
  })

  it('refuses a named file that does not exist', async () => {
    const refused = readOptions({ data: '', optionsFile: '/nowhere/away.ini' }, {})
    await expect(refused).rejects.toThrow("away.ini can't be read (ENOENT).")
  })
})
