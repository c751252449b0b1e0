/** Runs tests of operations with the metadata on a real libSQL server. */
import { keepMetadataElsewhere } from '../databases.ts'

keepMetadataElsewhere()

await import('../operations/enrol.test.ts')
await import('../operations/delete-faces.test.ts')
await import('../operations/persons/persons.test.ts')
await import('../operations/persons/changes.test.ts')
await import('../operations/persons/summaries.test.ts')
await import('../operations/upkeep/retention.test.ts')
await import('../operations/consistency/intent-log.test.ts')
await import('../operations/update-face.test.ts')
