/** Set-up of the project `database-server`: the metadata of its tests is on a real libSQL server. */
import { keepMetadataElsewhere } from '../databases.ts'

keepMetadataElsewhere()
