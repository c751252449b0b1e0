/** Settings of this browser, and where to read more. */
import { DocumentLinks } from '../components/page.tsx'
import { Loaded } from '../components/state.tsx'
import { Facts } from '../components/table.tsx'
import { useService } from '../connection/service.ts'
import { useAllowed } from '../connection/session.ts'
import { useTask } from '../connection/task.ts'
import { hashOf } from '../route.ts'
import { TEXTS } from '../texts.ts'
import { ThemeField } from './theme-field.tsx'

export const General = () => (
  <div class="cards few">
    <section class="card stack tight">
      <h2>{TEXTS.settings.appearance}</h2>
      <ThemeField />
    </section>
    <section class="card stack tight">
      <h2>{TEXTS.settings.reading}</h2>
      <a href={hashOf({ page: 'help', name: 'README' })}>{TEXTS.help.all}</a>
      <DocumentLinks />
      {useAllowed('administer') && <Version />}
    </section>
  </div>
)

function Version() {
  const { client } = useService()
  const service = useTask(signal => client.service.get({ signal }), [])
  return (
    <Loaded task={service}>
      {({ version, pack }) => (
        <Facts
          class="facts"
          facts={[
            [TEXTS.state.version, version],
            [TEXTS.state.pack, pack],
          ]}
        />
      )}
    </Loaded>
  )
}
