/** `mien backup list`: the backups of a repository. */
import { type GlobalOptions, printJson } from '../terminal/command-line.ts'
import { printTable } from '../terminal/table.ts'
import { megabytes, openRepository } from './open.ts'

export async function listBackups(given: GlobalOptions & { json?: boolean }, name: string): Promise<number> {
  const repository = await openRepository(name)
  try {
    const rows = []
    for (const time of (await repository.holdings()).backups) {
      const { made, faces, bytes, added, encryption } = await repository.readRecord(time)
      rows.push({ made, faces, bytes, added, key: encryption?.operatorKey ?? null })
    }
    if (given.json) printJson(rows)
    else
      printTable(
        rows.map(({ made, faces, bytes, added, key }) => ({
          made,
          faces,
          MB: megabytes(bytes),
          'MB added': megabytes(added),
          key: key ?? '',
        })),
        'There is no backup yet.',
      )
    return 0
  } finally {
    repository.close()
  }
}
