/** The page Service, for operators: tokens, rules, settings and the state of the service, one part at a time. */
import { PageHead } from '../components/page.tsx'
import { useToken } from '../connection/session.ts'
import { hashOf, SECTIONS, type Section } from '../route.ts'
import { TEXTS } from '../texts.ts'
import { AuditLog } from './audit-log.tsx'
import { Calibration } from './calibration.tsx'
import { Detector } from './detector.tsx'
import { People } from './people.tsx'
import { PersonSettings } from './person-settings.tsx'
import { Retention } from './retention.tsx'
import { State } from './state.tsx'
import { Tokens } from './tokens.tsx'

const PARTS = {
  tokens: Tokens,
  people: People,
  retention: Retention,
  persons: PersonSettings,
  'audit-log': AuditLog,
  detector: Detector,
  calibration: Calibration,
  state: State,
} satisfies Record<Section, unknown>

export function OperatorPage({ section }: { section: Section }) {
  const { owner } = useToken()
  const Part = PARTS[section]
  return (
    <>
      <PageHead title={TEXTS.operator.title} intro={TEXTS.operator.intro(owner)} />
      <nav class="sections" aria-label={TEXTS.operator.label}>
        {SECTIONS.map(name => (
          <a
            key={name}
            href={hashOf({ page: 'service', section: name })}
            aria-current={name === section ? 'page' : undefined}
          >
            {TEXTS.operator.sections[name]}
          </a>
        ))}
      </nav>
      <Part />
    </>
  )
}
