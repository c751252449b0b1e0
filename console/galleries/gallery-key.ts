/** The name of a gallery in the API, made from its display name. */

/** Greatest length of a name in the API. */
const LONGEST_KEY = 48

/** Letters of German and Danish that a decomposition does not make plain. */
const LATIN: Readonly<Record<string, string>> = { ä: 'ae', ö: 'oe', ü: 'ue', ß: 'ss', æ: 'ae', ø: 'o' }

/** `Köche & Kellner` is `koeche-kellner`. A title without a letter of a-z is its code points. Empty for an empty title. */
export function galleryKey(title: string): string {
  const letters = [...title.normalize('NFC').toLowerCase().trim()]
  const plain = letters.map(letter => LATIN[letter] ?? letter.normalize('NFD').replaceAll(/\p{M}/gu, ''))
  const words =
    plain.join('').match(/[a-z0-9_]+/g) ?? letters.map(letter => letter.codePointAt(0)!.toString(16))
  return words.join('-').slice(0, LONGEST_KEY)
}
