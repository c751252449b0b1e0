/** The form for a new token. */
import { useId, useState } from 'preact/hooks'
import type { TokenParameters } from '../../clients/typescript/src/index.ts'
import { NAMED } from '../components/field.tsx'
import { Problem } from '../components/problem.tsx'
import { useService } from '../connection/context.ts'
import { TEXTS } from '../texts.ts'

const SCOPES = ['read', 'enrol', 'camera', 'admin'] as const

const LIFETIMES = [0, 7, 30, 90, 365] as const

const DAY_MS = 86_400_000

export function CreateToken({ onCreated }: { onCreated: (text: string) => void }) {
  const { client } = useService()
  const id = useId()
  const [problem, setProblem] = useState<unknown>()
  const [isRunning, setIsRunning] = useState(false)
  const texts = TEXTS.createToken
  const submit = async (event: SubmitEvent) => {
    event.preventDefault()
    const form = event.currentTarget as HTMLFormElement
    const parameters = parametersIn(new FormData(form), Date.now())
    setProblem(parameters ? undefined : texts.rateInvalid)
    if (!parameters) return
    setIsRunning(true)
    try {
      const { token } = await client.tokens.create(parameters)
      // The other fields keep what the visitor has chosen. A reset would set the first option of each list.
      ;(form.elements.namedItem('name') as HTMLInputElement).value = ''
      onCreated(token)
    } catch (error) {
      setProblem(error)
    }
    setIsRunning(false)
  }
  return (
    <form class="card token-form" onSubmit={event => void submit(event)}>
      <h2>{texts.title}</h2>
      <div class="fields">
        <div class="field">
          <label for={`${id}-name`}>{texts.name}</label>
          <input
            id={`${id}-name`}
            name="name"
            autocomplete="off"
            maxLength={255}
            {...NAMED}
            placeholder={texts.nameHint}
          />
        </div>
        <div class="field">
          <label for={`${id}-scope`}>{texts.scope}</label>
          <select id={`${id}-scope`} name="scope">
            {SCOPES.map(scope => (
              <option key={scope} value={scope}>
                {texts.scopes[scope]}
              </option>
            ))}
          </select>
        </div>
        <div class="field">
          <label for={`${id}-expires`}>{texts.expires}</label>
          <select id={`${id}-expires`} name="days">
            {LIFETIMES.map(days => (
              <option key={days} value={days} selected={days === 90}>
                {texts.lifetimes[days]}
              </option>
            ))}
          </select>
        </div>
        <div class="field">
          <label for={`${id}-rate`}>{texts.rate}</label>
          <input
            id={`${id}-rate`}
            name="rate"
            inputMode="decimal"
            autocomplete="off"
            placeholder={texts.rateHint}
          />
        </div>
      </div>
      {problem !== undefined && <Problem error={problem} />}
      <div>
        <button type="submit" class="primary" disabled={isRunning}>
          {texts.submit}
        </button>
      </div>
    </form>
  )
}

/** `now` is in Unix milliseconds. Undefined for a rate that is no number above 0. */
function parametersIn(fields: FormData, now: number): TokenParameters | undefined {
  const days = Number(fields.get('days'))
  const typed = String(fields.get('rate')).trim().replace(',', '.')
  const rate = typed === '' ? undefined : Number(typed)
  if (rate !== undefined && !(rate > 0)) return undefined
  return {
    name: String(fields.get('name')).trim(),
    scope: String(fields.get('scope')) as TokenParameters['scope'],
    ...(days > 0 && { expires: new Date(now + days * DAY_MS).toISOString() }),
    ...(rate !== undefined && { rate }),
  }
}
