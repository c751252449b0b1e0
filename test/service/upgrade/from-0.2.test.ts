/** Data folders of 0.2 with vectors of an embedder that was removed: the start names the conversion, which converts them. */
import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { embedderLabel } from '#core/embedding/label.ts'
import { recordedGeneration } from '#core/vector-store/generation.ts'
import { openNextGeneration } from '#core/vector-store/open.ts'
import { CHOICE } from '#models/packs.ts'
import { faceOf } from '#test/support/sample-faces.ts'
import { expectVerified, runMien } from '#test/support/typed.ts'
import { startCore } from '../../unit/core/core-process.ts'
import { enrolOne, openWorld } from '../core/operations/world.ts'

const DLIB = 'recognition-128-a60675b8'
const MOBILEFACENET = 'mobilefacenet-160-e73b9794'

it.each([
  { embedder: MOBILEFACENET, choice: 'standard', refusal: `The stored vectors are of ${MOBILEFACENET}` },
  { embedder: DLIB, choice: 'dlib', refusal: 'The pack "dlib" was removed' },
])(
  'a start refuses vectors of $embedder with the choice $choice, and names mien models reembed, which converts them',
  {
    tags: 'long',
  },
  async ({ embedder, choice, refusal }) => {
    // The chips have no layout, like the chips of 0.1 that 0.2 took over.
    const { data, ...world } = await openWorld(undefined, undefined, { embedder })
    await enrolOne(world, faceOf(250, 10, 10))
    await enrolOne(world, faceOf(10, 10, 250))
    await world.close()
    await writeFile(join(data, CHOICE), JSON.stringify({ pack: choice, embedder }))

    const begun = await openNextGeneration(join(data, 'vectors'), embedderLabel())
    await begun.close()
    expect(runMien(['store', 'verify', '--data', data])).toExit(0)
    const refused = await startCore(data).port.catch((error: Error) => error.message)
    expect(refused).toContain(refusal)
    expect(refused).toMatch(/run "?mien models reembed/)
    // Both leave an interrupted conversion, which continues.
    expect(await readdir(join(data, 'vectors'))).toContain('next-generation.json')
    expect(runMien(['models', 'reembed', '--data', data])).toExit(0)
    expect(await recordedGeneration(join(data, 'vectors'))).toEqual({ number: 1, embedder: embedderLabel() })
    expect(JSON.parse(await readFile(join(data, CHOICE), 'utf8'))).toEqual({
      pack: 'standard',
      embedder: embedderLabel(),
    })
    const core = startCore(data)
    await core.port
    core.child.kill('SIGTERM')
    await core.exit
    expectVerified(data)
  },
)
