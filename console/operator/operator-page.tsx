/** The page Service, for operators: tokens, people, the audit log and the state of the service, one part at a time. */
import { PageHead, Sections } from '../components/page.tsx'
import { useToken } from '../connection/session.ts'
import { hashOf, SECTIONS, type Section } from '../route.ts'
import { TEXTS } from '../texts.ts'
import { AuditLog } from './audit-log.tsx'
import { People } from './people.tsx'
import { State } from './state.tsx'
import { Tokens } from './tokens.tsx'

const PARTS = {
  tokens: Tokens,
  people: People,
  'audit-log': AuditLog,
  state: State,
} satisfies Record<Section, unknown>

export function OperatorPage({ section }: { section: Section }) {
  const { owner } = useToken()
  const Part = PARTS[section]
  return (
    <>
      <PageHead title={TEXTS.operator.title} intro={TEXTS.operator.intro(owner)} />
      <Sections
        label={TEXTS.operator.label}
        links={SECTIONS.map(name => ({
          hash: hashOf({ page: 'service', section: name }),
          text: TEXTS.operator.sections[name],
          isCurrent: name === section,
        }))}
      />
      <Part />
    </>
  )
}
