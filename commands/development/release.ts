/** `npm run release`: makes dist/mien-X.Y.Z.tgz, the package that npm installs on machines without the repository. */
import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import { isMainScript } from '../service/main-script.ts'
import { action, programNamed, runProgram } from '../terminal/command-line.ts'
import { makeRelease } from './release/release.ts'

const DIST = join(import.meta.dirname, '..', '..', 'dist')

if (isMainScript(import.meta)) {
  const program = programNamed(
    'npm run release',
    'Builds and compiles everything into a package for this platform in dist. docs/deploy.md says how to install it.',
  )
  await runProgram(
    program.action(
      action(async () => {
        const path = await makeRelease(DIST)
        const { size } = await stat(path)
        console.log(`${path}: ${(size / 1e6).toFixed(1)} MB`)
        return 0
      }),
    ),
    process.argv.slice(2),
  )
}
