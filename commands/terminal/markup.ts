/** Text for HTML and XML that commands write. */

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

/**
 * Text for content and quoted attributes. Replaces characters that XML does not allow, and control and direction
 * characters, which could disguise a name.
 */
export const markupText = (text: string): string =>
  text
    .toWellFormed()
    .replace(/[\p{Cc}\u{200e}\u{200f}\u{202a}-\u{202e}\u{2066}-\u{2069}\u{fffe}\u{ffff}]/gu, '\u{fffd}')
    .replace(/[&<>"']/g, letter => ENTITIES[letter]!)
