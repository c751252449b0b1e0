/** A data folder that version 0.1.0 made and filled: this version finds everything in it, before and after its conversion. */
import { execFileSync } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { clientOf } from '#bench/harness/client.ts'
import { type Service, startService } from '#bench/harness/service.ts'
import { temporaryFolder } from '../../unit/core/folder.ts'
import { typed } from '../commands/typed.ts'
import { type Answers, answersOf, facesIn, matchesOf } from './answers.ts'

/** Made at commit 16a12dc7, the last one of 0.1.0, by make-data-folder.ts, which is in the history of this folder. */
const ARCHIVE = join(import.meta.dirname, 'data-folder-0.1.0.tar.gz')

/** The pack is the recorded one, as for an operator who sets no variable. */
const ENV = { MIEN_PACK: '' }

/** A token, and what 0.1.0 answered to it. */
interface Owner {
  token: string
  answers: Answers
  /** Of each photo. */
  matches: number[][][]
}

interface Expected {
  starter: Owner
  second: Owner
  /** A revoked token. */
  revoked: string
}

async function unpacked(): Promise<{ data: string; expected: Expected }> {
  const folder = await temporaryFolder()
  execFileSync('tar', ['-xzf', ARCHIVE, '-C', folder])
  const expected = JSON.parse(await readFile(join(folder, 'expected.json'), 'utf8'))
  return { data: join(folder, 'data'), expected }
}

async function started(data: string): Promise<Service> {
  const service = await startService({ data, env: ENV })
  onTestFinished(async () => void (await service.stop()))
  return service
}

/** Output of a command that succeeds. */
function mien(...args: string[]): string {
  const { status, stdout, stderr } = typed(args)
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' })
  return stdout
}

const verify = (data: string): string[] => [
  mien('store', 'verify', '--data', data),
  mien('audit', 'verify', '--data', data),
]

const INTACT = ['All is well.\n', expect.stringMatching(/ (is as it was|are as they were) written/)]

const matches = async (
  { edge }: Service,
  { starter, second }: Expected,
  threshold: string,
): Promise<number[][][][]> => [
  [await matchesOf(edge, starter.token, 6), await matchesOf(edge, starter.token, 3)],
  [await matchesOf(edge, second.token, 2, threshold)],
]

const embedder = async (data: string): Promise<string> =>
  JSON.parse(await readFile(join(data, 'vectors', 'generation.json'), 'utf8')).embedder

describe('a data folder of version 0.1.0', { tags: 'long' }, () => {
  it('gives the answers, pictures and matches of 0.1.0 after the first start, and is verified as intact', async () => {
    const { data, expected } = await unpacked()
    const { starter, second, revoked } = expected
    expect([facesIn(starter.answers), facesIn(second.answers)]).toEqual([5, 1])
    const service = await started(data)
    expect(await answersOf(service.edge, starter.token)).toEqual(starter.answers)
    expect(await answersOf(service.edge, second.token)).toEqual(second.answers)
    expect(await clientOf(service.edge, revoked)('GET', '/v1/galleries')).toMatchObject({ status: 401 })
    // The second owner's face is a profile, which 0.1.0 aligned by other landmarks.
    expect(await matches(service, expected, 'medium')).toEqual([starter.matches, second.matches])
    expect(await embedder(data)).toMatch(/^recognition-128-/)
    expect(service.output()).toContain('mien models reembed standard')
    expect(verify(data)).toEqual(INTACT)
    await service.stop()
    expect(verify(data)).toEqual(INTACT)
  })

  it('is converted by mien models reembed standard, and then still has its faces, matches and answers', async () => {
    const { data, expected } = await unpacked()
    const { starter, second } = expected
    mien('models', 'reembed', 'standard', '--data', data)
    const service = await started(data)
    expect(await embedder(data)).toMatch(/^mobilefacenet-mobilefacenet-lite-128-/)
    expect(service.output()).not.toContain('mien models reembed standard')
    expect(await answersOf(service.edge, starter.token)).toEqual(starter.answers)
    expect(await answersOf(service.edge, second.token)).toEqual(second.answers)
    expect(await matches(service, expected, 'low')).toEqual([starter.matches, second.matches])
    await service.stop()
    expect(verify(data)).toEqual(INTACT)
  })
})
