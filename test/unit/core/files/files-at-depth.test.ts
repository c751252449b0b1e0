import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { filesAtDepth } from '#core/files/inspect.ts'
import { temporaryFolder } from '../folder.ts'

async function listed(folder: string, depth: number): Promise<string[]> {
  const files: string[] = []
  for await (const file of filesAtDepth(folder, depth)) files.push(file)
  return files.sort()
}

it('filesAtDepth lists the files at its depth only', async () => {
  const folder = await temporaryFolder()
  await mkdir(join(folder, 'a', 'deep'), { recursive: true })
  await mkdir(join(folder, 'b'))
  for (const file of ['top', 'a/one', 'a/deep/two', 'b/three']) await writeFile(join(folder, file), '')
  expect(await listed(folder, 0)).toEqual(['top'])
  expect(await listed(folder, 1)).toEqual([join('a', 'one'), join('b', 'three')])
  expect(await listed(folder, 2)).toEqual([join('a', 'deep', 'two')])
})

it('filesAtDepth lists nothing in a missing folder', async () => {
  expect(await listed(join(await temporaryFolder(), 'missing'), 1)).toEqual([])
})
