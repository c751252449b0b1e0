/** The secrets of an installation: made at random on the first start, kept in the data folder, readable by its owner only. */
import { randomBytes } from 'node:crypto'
import { link, mkdir, open, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import * as z from 'zod'
import { unless } from '../files/unless.ts'
import { ConfigurationError } from './environment.ts'

const SecretsSchema = z.strictObject({
  /** Signs what the edge asks of core. */
  edge: z.string().min(32),
  /** Signs the links to pictures; its id is in every link. */
  links: z.strictObject({ id: z.string().regex(/^[0-9a-z]{1,32}$/), key: z.string().min(32) }),
})

export type Secrets = z.infer<typeof SecretsSchema>

const newSecrets = (): Secrets => ({
  edge: randomBytes(32).toString('base64url'),
  links: { id: randomBytes(4).toString('hex'), key: randomBytes(32).toString('base64url') },
})

/**
 * The secrets of this data folder. The first process to ask makes them; when several ask at once, all get the same.
 * Throws ConfigurationError when the file is damaged: made anew, every link given out and the edge would fail.
 */
export async function openSecrets(data: string): Promise<Secrets> {
  const path = join(data, 'secrets.json')
  const text = (await readIfThere(path)) ?? (await createSecrets(data, path))
  try {
    return SecretsSchema.parse(JSON.parse(text))
  } catch (error) {
    const advice =
      'Restore it from a backup, or remove it to have new secrets made: links to pictures then end.'
    throw new ConfigurationError(`${path} is damaged. ${advice}`, { cause: error })
  }
}

/** Makes the file in one step that only one process can take, and reads what is there afterwards. */
async function createSecrets(data: string, path: string): Promise<string> {
  await mkdir(data, { recursive: true, mode: 0o700 })
  const draft = `${path}.${randomBytes(6).toString('hex')}.tmp`
  const file = await open(draft, 'wx', 0o600)
  try {
    await file.writeFile(`${JSON.stringify(newSecrets(), null, 2)}\n`)
    await file.sync()
    await link(draft, path).catch(unless('EEXIST'))
  } finally {
    await file.close()
    await rm(draft, { force: true })
  }
  return readFile(path, 'utf8')
}

const readIfThere = (path: string): Promise<string | undefined> =>
  readFile(path, 'utf8').catch(unless('ENOENT'))
