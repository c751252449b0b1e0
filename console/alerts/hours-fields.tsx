/** The hours of a rule: any number of rows with days and two times. */
import { Field } from '../components/field.tsx'
import { TEXTS } from '../texts.ts'
import { DAYS, type HoursFields as Fields } from './conditions.ts'

interface Properties {
  hours: readonly Fields[]
  onHours: (hours: Fields[]) => void
}

/** The working days, from evening to morning. */
const FIRST: Fields = { days: DAYS.slice(0, 5), from: '18:00', to: '06:00' }

export function HoursFields({ hours, onHours }: Properties) {
  const texts = TEXTS.alert
  return (
    <fieldset class="alert-hours">
      <legend>{texts.hours}</legend>
      <p class="hint">{texts.hoursHint}</p>
      {hours.map((fields, i) => (
        <HoursRow
          key={`${hours.length} ${i}`}
          number={i + 1}
          fields={fields}
          onFields={changed => onHours(hours.with(i, changed))}
          onRemove={() => onHours(hours.toSpliced(i, 1))}
        />
      ))}
      <button type="button" onClick={() => onHours([...hours, FIRST])}>
        {texts.addHours}
      </button>
    </fieldset>
  )
}

interface RowProperties {
  number: number
  fields: Fields
  onFields: (fields: Fields) => void
  onRemove: () => void
}

function HoursRow({ number, fields, onFields, onRemove }: RowProperties) {
  const texts = TEXTS.alert
  const { days } = fields
  const toggle = (day: string) =>
    onFields({ ...fields, days: days.includes(day) ? days.filter(one => one !== day) : [...days, day] })
  return (
    <fieldset class="hours-row">
      <legend>{texts.hoursOf(number)}</legend>
      <div class="days">
        {DAYS.map(day => (
          <label key={day} class="check">
            <input type="checkbox" checked={days.includes(day)} onChange={() => toggle(day)} />
            {texts.days[day]}
          </label>
        ))}
      </div>
      {(['from', 'to'] as const).map(end => (
        <Field key={end} label={texts[end]}>
          {id => (
            <input
              id={id}
              type="time"
              value={fields[end]}
              onInput={event => onFields({ ...fields, [end]: event.currentTarget.value })}
            />
          )}
        </Field>
      ))}
      <button type="button" class="quiet" onClick={onRemove}>
        {texts.removeHours(number)}
      </button>
    </fieldset>
  )
}
