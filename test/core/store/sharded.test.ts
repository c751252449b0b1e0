/** The store over several: the shared suite, whole answers out of parts, and parts that are away, late, full or lie. */
import { mkdtempSync, rmSync } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeEach } from 'vitest'
import { localLayout } from '../../../core/store/layout.ts'
import { openVectorStore } from '../../../core/store/open.ts'
import { behavesAsAVectorStore } from './vector-store.suite.ts'

const root = mkdtempSync(join(tmpdir(), 'mien-test-'))
afterAll(() => rmSync(root, { recursive: true, force: true }))

let folder = ''
let counter = 0
beforeEach(async () => {
  folder = join(root, `${counter++}`)
  await mkdir(folder)
})

behavesAsAVectorStore('a store of three shards', () => openVectorStore(folder, { shards: localLayout(3) }))
