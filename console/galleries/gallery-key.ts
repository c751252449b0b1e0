/** The name of a gallery in the API, made of what the visitor calls it. */

/** Greatest length of a name in the API. */
const LONGEST = 48

/** Letters whose parts a decomposition does not give, and German umlauts, which are written with two letters. */
const WRITTEN: Readonly<Record<string, string>> = {
  ...{ ä: 'ae', ö: 'oe', ü: 'ue', ß: 'ss', æ: 'ae', ø: 'o', å: 'a', ł: 'l', đ: 'd' },
}

/** For titles without a letter of a-z. */
const NAMELESS = 'gallery'

/** `Köche & Kellner` is `koeche-kellner`. A number follows a name that is taken. Empty for an empty title. */
export function galleryKey(title: string, taken: readonly string[]): string {
  if (title.trim() === '') return ''
  const letters = title.normalize('NFC').toLowerCase()
  const plain = [...letters].map(letter => WRITTEN[letter] ?? letter).join('')
  const key = trimmed(
    plain
      .normalize('NFD')
      .replaceAll(/\p{M}/gu, '')
      .replaceAll(/[^a-z0-9_]+/g, '-'),
    LONGEST,
  )
  const first = key || NAMELESS
  if (!taken.includes(first)) return first
  for (let number = 2; ; number++) {
    const suffix = `-${number}`
    const next = trimmed(first, LONGEST - suffix.length) + suffix
    if (!taken.includes(next)) return next
  }
}

/** At most `longest` characters, without hyphens at the ends. */
const trimmed = (key: string, longest: number): string =>
  key.replace(/^-+/, '').slice(0, longest).replace(/-+$/, '')
