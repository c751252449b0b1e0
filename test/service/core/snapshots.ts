/** What killed processes leave: copies of a folder at steps of work in this process, and processes that are really killed. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, existsSync } from 'node:fs'
import { join } from 'node:path'
import { temporaryFolder } from '#test/unit/core/folder.ts'

interface Snapshots {
  /** Copies the folder when this step happens for the first time. A kill at the step leaves the same files. */
  at(step: string): void
  /** The copy of a step. Fails when the step did not happen. */
  of(step: string): string
}

/** Copies `folder` at the named steps, and at no other one. The copies end with the test. */
export async function snapshotsOf(folder: string, steps: readonly string[]): Promise<Snapshots> {
  const copies = await temporaryFolder()
  const pathOf = (step: string) => join(copies, step)
  return {
    at(step) {
      if (steps.includes(step) && !existsSync(pathOf(step))) cpSync(folder, pathOf(step), { recursive: true })
    },
    of(step) {
      expect(existsSync(pathOf(step)), step).toBe(true)
      return pathOf(step)
    },
  }
}

/** Runs a script that kills itself. */
export async function runKilled(script: string, ...args: string[]): Promise<void> {
  const child = spawn(process.execPath, [script, ...args], { stdio: ['ignore', 'ignore', 'inherit'] })
  expect(await once(child, 'exit')).toEqual([null, 'SIGKILL'])
}
