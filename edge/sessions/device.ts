/** What the header `User-Agent` says of a device, as the name of a passkey that is made there. */

/** The first one that matches. Most browsers name others, too. */
const BROWSERS: readonly [name: string, sign: RegExp][] = [
  ['Edge', /\bEdg(e|A|iOS)?\//],
  ['Opera', /\bOPR\//],
  ['Samsung Internet', /\bSamsungBrowser\//],
  ['Firefox', /\b(Firefox|FxiOS)\//],
  ['Chrome', /(Chrome|\bCriOS)\//],
  ['Safari', /\bSafari\//],
]

const SYSTEMS: readonly [name: string, sign: RegExp][] = [
  ['iPhone', /\biPhone\b/],
  ['iPad', /\biPad\b/],
  ['Android', /\bAndroid\b/],
  ['Windows', /\bWindows\b/],
  ['macOS', /\bMacintosh\b/],
  ['ChromeOS', /\bCrOS\b/],
  ['Linux', /\bLinux\b/],
]

/** For example "Firefox on Linux"; "" for unknown programs. */
export function deviceIn(userAgent = ''): string {
  const nameIn = (known: typeof BROWSERS) => known.find(([, sign]) => sign.test(userAgent))?.[0]
  return [nameIn(BROWSERS), nameIn(SYSTEMS)].filter(name => name !== undefined).join(' on ')
}
