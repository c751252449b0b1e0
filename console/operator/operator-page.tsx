/** The page Service, for operators: tokens, retention, audit log, calibration and state, one part at a time. */
import { useToken } from '../connection/token.ts'
import { hashOf, SECTIONS, type Section } from '../route.ts'
import { TEXTS } from '../texts.ts'
import { AuditLog } from './audit-log.tsx'
import { Calibration } from './calibration.tsx'
import { Retention } from './retention.tsx'
import { State } from './state.tsx'
import { Tokens } from './tokens.tsx'

const PARTS = {
  tokens: Tokens,
  retention: Retention,
  'audit-log': AuditLog,
  calibration: Calibration,
  state: State,
} satisfies Record<Section, unknown>

export function OperatorPage({ section }: { section: Section }) {
  const { owner } = useToken()
  const Part = PARTS[section]
  return (
    <>
      <header class="page-head">
        <h1>{TEXTS.operator.title}</h1>
        <p>{TEXTS.operator.intro(owner)}</p>
      </header>
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
