/** Metadata at a real libSQL server: what holds for a file holds there, by the very same tests. */
import { keepMetadataElsewhere } from '../databases.ts'

keepMetadataElsewhere()

await import('../operations/enrol.test.ts')
await import('../operations/delete-faces.test.ts')
await import('../operations/persons.test.ts')
await import('../operations/upkeep/retention.test.ts')
await import('../operations/consistency/intent-log.test.ts')
await import('../operations/update-face.test.ts')
