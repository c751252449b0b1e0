/** Pages of the documentation: their texts, and the sections of the guide. */
import { serviceUrl } from '../connection/service.ts'
import { foldText } from '../format.ts'
import { TEXTS } from '../texts.ts'

/** The page for people who use the console. */
export const GUIDE = 'guide'

/** The section of the guide about addresses with https. */
export const HTTPS_HELP = {
  page: 'help',
  name: GUIDE,
  section: 'use-it-from-other-computers-and-phones',
} as const

/** The address of a page or a picture of the documentation. */
export const addressOf = (file: string): string => `${serviceUrl(location.href)}/console/${file}`

/** The Markdown of a page. Throws a sentence for the visitor. */
export async function loadDocument(name: string, signal: AbortSignal): Promise<string> {
  const response = await fetch(addressOf(`${name}.md`), { signal })
  // The service asks for a token before it says that a path is unknown.
  if (!response.ok) throw response.status < 500 ? TEXTS.help.missing : TEXTS.errors.network
  return response.text()
}

/** The id of a heading, as links of the documentation have it. */
export const idOfHeading = (heading: string): string =>
  heading
    .toLowerCase()
    .replaceAll(/[^\w\s-]/g, '')
    .trim()
    .replaceAll(/\s+/g, '-')

/** Titles of the sections of a page that have all words of a text. Sections with the words in the title come first. */
export function sectionsWith(text: string, page: string): string[] {
  const words = foldText(text).split(/\s+/)
  const hasAll = (part: string) => words.every(word => foldText(part).includes(word))
  const found = page
    .split(/^## /m)
    .slice(1)
    .filter(hasAll)
    .map(section => section.split('\n')[0]!)
  return [...found.filter(hasAll), ...found.filter(title => !hasAll(title))]
}
