/** Changes of persons by a process that is killed. */
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { metadataFaults } from '#core/metadata/row-sums.ts'
import { openWorld } from '../world.ts'
import { addPerson, crowd } from './crowd.ts'

describe('a process that is killed', () => {
  const child = fileURLToPath(new URL('../crash.child.ts', import.meta.url))

  it.each([
    { step: 'before database.batch 1', merged: false },
    { step: 'after database.batch 1', merged: true },
  ])('$step of a merge has merged everything or nothing', async ({ step, merged }) => {
    const world = await openWorld()
    for (const id of [7, 8]) await addPerson(world, id, [{}, {}])
    await world.close()
    const { signal } = spawnSync(process.execPath, [child, world.data, 'merge persons', step])
    expect(signal).toBe('SIGKILL')
    const again = await openWorld(world.data)
    expect(await crowd(again)).toEqual(merged ? { 7: 4 } : { 7: 2, 8: 2 })
    expect(metadataFaults(join(again.data, 'metadata.db'))).toEqual([])
  })
})
