/** The choice between light, dark, and what the system has. It stays in this browser; theme.js applies it before the page is shown. */
import { useState } from 'preact/hooks'
import { SelectField } from '../components/fields.tsx'
import { TEXTS } from '../texts.ts'

/** Key of the local storage. console/theme.js reads it. */
const KEY = 'mien.theme'

export function ThemeField() {
  const [theme, setTheme] = useState(() => localStorage.getItem(KEY) ?? '')
  const choose = (chosen: string) => {
    if (chosen === '') localStorage.removeItem(KEY)
    else localStorage.setItem(KEY, chosen)
    document.documentElement.dataset.theme = chosen
    setTheme(chosen)
  }
  return (
    <SelectField
      label={TEXTS.settings.theme}
      options={Object.entries(TEXTS.settings.themes)}
      value={theme}
      onChange={event => choose(event.currentTarget.value)}
    />
  )
}
