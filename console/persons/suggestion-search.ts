/** Looks for suggestions, a few requests at a time. */
import type { MienClient, PersonSuggestion } from '../../clients/typescript/src/index.ts'

/** Persons per request: the most that the API takes. */
const PAGE_SIZE = 50

/** Suggestions that end a search, and requests that end it without them. */
const ENOUGH = 6
const MOST_REQUESTS = 4

export interface FoundSuggestions {
  found: PersonSuggestion[]
  /** True when all persons were compared. */
  isComplete: boolean
}

/** Returns a function that looks for the next suggestions. */
export function suggestionSearch(client: MienClient, signal: AbortSignal): () => Promise<FoundSuggestions> {
  const pages = client.persons.suggestions({ limit: PAGE_SIZE }, { signal }).pages()
  return async () => {
    const found: PersonSuggestion[] = []
    for (let i = 0; i < MOST_REQUESTS && found.length < ENOUGH; i++) {
      const page = await pages.next()
      if (page.done) return { found, isComplete: true }
      found.push(...page.value)
    }
    return { found, isComplete: false }
  }
}
