/** Copies files of the repository and of packages into the folder of a release. */
import { chmod, cp, glob, mkdir, readFile, stat, writeFile } from 'node:fs/promises'
import { dirname, extname, join, sep } from 'node:path'
import { pathBelow } from '../../../contract/stored-path.ts'
import { FOLDER, PARTS, type Packages } from './packages.ts'

/** Fields of package.json that ask npm for something at installation, or refuse a Node that runs the part that is used. */
const DROPPED = [
  'scripts',
  'files',
  'engines',
  'dependencies',
  'devDependencies',
  'optionalDependencies',
  'peerDependencies',
  'peerDependenciesMeta',
]

/** Sources and types, which Node never reads in a package. */
const UNREAD = ['.ts', '.mts', '.cts', '.map']

/** Copies the packages from one project's folder to another one. Throws when one is installed in another version. */
export async function copyPackages({ bundled }: Packages, from: string, to: string): Promise<void> {
  for (const [path, { version, dependencies }] of bundled) {
    const { files = ['**/*'] } = PARTS[path.slice(path.lastIndexOf(FOLDER) + FOLDER.length)] ?? {}
    const [source, target] = [pathBelow(from, path), pathBelow(to, path)]
    const manifest = JSON.parse(await readFile(join(source, 'package.json'), 'utf8'))
    if (manifest.version !== version)
      throw new Error(`${path} has version ${manifest.version}, the lock file ${version}: run npm ci.`)
    for (const pattern of files) await copyMatches(source, pattern, target)
    const kept = Object.fromEntries(Object.entries(manifest).filter(([key]) => !DROPPED.includes(key)))
    await writeFile(join(target, 'package.json'), JSON.stringify({ ...kept, dependencies }))
  }
}

/** Copies the files below `from` that match, into the same folders below `to`. Throws when there is none. */
export async function copyMatches(from: string, pattern: string, to: string): Promise<void> {
  let copied = 0
  for await (const entry of glob(pattern, { cwd: from, withFileTypes: true })) {
    const source = join(entry.parentPath, entry.name)
    const path = source.slice(from.length)
    // A nested package is copied by itself, if it is needed.
    if (!entry.isFile() || UNREAD.includes(extname(path)) || path.includes(`${sep}node_modules${sep}`))
      continue
    await mkdir(dirname(join(to, path)), { recursive: true })
    await cp(source, join(to, path))
    copied++
  }
  if (copied === 0) throw new Error(`${pattern} matches no file in ${from}`)
}

/** Makes files readable by everybody and writable by their owner, as a package has them with any umask. */
export async function settleModes(folder: string): Promise<void> {
  for await (const path of glob('**/*', { cwd: folder })) {
    const { mode } = await stat(join(folder, path))
    await chmod(join(folder, path), mode & 0o100 ? 0o755 : 0o644)
  }
}
