/** The form for a new token. */
import type { TokenParameters } from '../../clients/typescript/src/index.ts'
import { InputField, NAMED, SelectField } from '../components/fields.tsx'
import { useSaveForm } from '../components/save-form.tsx'
import { Problem } from '../components/state.tsx'
import { useService } from '../connection/service.ts'
import { TEXTS } from '../texts.ts'

const DAY_MS = 86_400_000

export function CreateToken({ onCreated }: { onCreated: (text: string) => void }) {
  const { client } = useService()
  const texts = TEXTS.createToken
  const { action, attributes } = useSaveForm({
    read: fields => parametersIn(fields, Date.now()) ?? texts.rateInvalid,
    async save(parameters, form) {
      const { token } = await client.tokens.create(parameters)
      // The other fields keep what the visitor has chosen. A reset would set the first option of each list.
      ;(form.elements.namedItem('name') as HTMLInputElement).value = ''
      onCreated(token)
    },
  })
  return (
    <form class="card stack" {...attributes}>
      <h2>{texts.title}</h2>
      <div class="fields">
        <InputField label={texts.name} name="name" maxLength={255} {...NAMED} placeholder={texts.nameHint} />
        <SelectField label={texts.scope} name="scope" options={Object.entries(texts.scopes)} />
        <SelectField
          label={texts.expires}
          name="days"
          options={Object.entries(texts.lifetimes)}
          chosen="90"
        />
        <InputField label={texts.rate} name="rate" inputMode="decimal" placeholder={texts.rateHint} />
      </div>
      <Problem error={action.problem} />
      <div>
        <button type="submit" class="primary" disabled={action.isRunning}>
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
