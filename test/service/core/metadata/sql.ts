/** Parses SQL statements far enough to find the tables that they touch without binding the owner. */

/** A word, an identifier, an operator, the number of a parameter, or a group in parentheses. */
type Token = string | { parameter: number } | Token[]

const WORD = /'(?:[^']|'')*'|"[^"]+"|`[^`]+`|[\w.]+|\?|[(),]|[<>=!|*/%+-]+/g

/** Nests by parentheses, in lower case, without quotes around identifiers: `"faces"."owner"` becomes `faces.owner`. */
function read(sql: string): Token[] {
  const flat = sql.replaceAll(/["`](\w+)["`]/g, '$1').match(WORD) ?? []
  const stack: Token[][] = [[]]
  let parameters = 0
  for (const word of flat) {
    if (word === '(') stack.push([])
    else if (word === ')') {
      const group = stack.pop()!
      stack.at(-1)!.push(group)
    } else stack.at(-1)!.push(word === '?' ? { parameter: parameters++ } : word.toLowerCase())
  }
  return stack[0]!
}

const CLAUSES = new Set(
  'select from join on where group having order limit set values returning union insert update delete with into'.split(
    ' ',
  ),
)
const BEFORE_JOIN = new Set(['left', 'right', 'inner', 'outer', 'cross', 'natural', 'all', 'distinct'])

interface Clause {
  word: string
  tokens: Token[]
}

const isQuery = (token: Token): token is Token[] =>
  Array.isArray(token) && ['select', 'with'].includes(String(token[0]))

function clausesOf(tokens: readonly Token[]): Clause[] {
  const clauses: Clause[] = [{ word: '', tokens: [] }]
  for (const token of tokens) {
    if (typeof token === 'string' && CLAUSES.has(token)) clauses.push({ word: token, tokens: [] })
    else if (typeof token !== 'string' || !BEFORE_JOIN.has(token)) clauses.at(-1)!.tokens.push(token)
  }
  return clauses
}

/** The parts of a condition between ANDs. A condition with OR proves nothing. */
function conjuncts(condition: readonly Token[]): Token[][] {
  if (condition.includes('or')) return []
  const parts: Token[][] = [[]]
  for (const token of condition) {
    if (token === 'and') parts.push([])
    else parts.at(-1)!.push(token)
  }
  return parts.flatMap(part => {
    const [only] = part
    return part.length === 1 && Array.isArray(only) && !isQuery(only) ? conjuncts(only) : [part]
  })
}

export interface Statement {
  sql: string
  args: readonly unknown[]
}

/** Tables that a statement touches without binding the owner. */
export function unowned({ sql, args }: Statement, owner: string, owned: ReadonlySet<string>): string[] {
  const isOwner = (token: Token | undefined): boolean =>
    typeof token === 'object' && 'parameter' in token && args[token.parameter] === owner

  /** Checks a SELECT, INSERT, UPDATE or DELETE, and its subqueries, which see its bound tables. */
  function look(tokens: readonly Token[], outer: ReadonlySet<string>): string[] {
    const split = tokens.indexOf('union')
    if (split >= 0) return [...look(tokens.slice(0, split), outer), ...look(tokens.slice(split + 1), outer)]
    const clauses = clausesOf(tokens)
    const tables = clauses.flatMap(clause => tableOf(clause) ?? [])
    const bound = new Set(outer)
    if (insertsFor(clauses)) bound.add(tables[0]!.alias)
    // One pass per table: a table may be bound through a table that is bound later.
    for (const _ of tables) bind(equalities(clauses), tables[0]?.alias, bound)
    const lacking = tables.filter(({ table, alias }) => owned.has(table) && !bound.has(alias))
    return [...lacking.map(({ table }) => table), ...queriesIn(tokens).flatMap(query => look(query, bound))]
  }

  /** Adds tables whose owner equals the owner or the owner of a bound table. */
  function bind(
    equal: readonly [Token, Token][],
    only: string | undefined,
    bound: Set<string | undefined>,
  ): void {
    for (const [one, other] of equal) {
      const [alias, same] = [ownerOf(one, only), ownerOf(other, only)]
      if (alias && (isOwner(other) || bound.has(same))) bound.add(alias)
    }
  }

  /** Whether every inserted row has the owner. */
  function insertsFor(clauses: readonly Clause[]): boolean {
    const into = clauses.find(({ word }) => word === 'into')?.tokens
    const at = Array.isArray(into?.[1]) ? into[1].filter(token => token !== ',').indexOf('owner') : -1
    if (at < 0) return false
    const rows = clauses.find(({ word }) => word === 'values')?.tokens.filter(Array.isArray)
    // An INSERT ... SELECT is checked through its SELECT.
    return rows === undefined || rows.every(row => isOwner(row.filter((token: Token) => token !== ',')[at]))
  }

  return look(read(sql), new Set())
}

/** Equalities that hold for every row, in both directions. */
const equalities = (clauses: readonly Clause[]): [Token, Token][] =>
  clauses
    .filter(({ word }) => word === 'where' || word === 'on')
    .flatMap(({ tokens }) => conjuncts(tokens))
    .flatMap(([left, operator, right, ...more]): [Token, Token][] =>
      operator === '=' && more.length === 0
        ? [
            [left!, right!],
            [right!, left!],
          ]
        : [],
    )

/** The alias of the table whose owner this column is; `only` for a column without an alias. */
function ownerOf(token: Token, only: string | undefined): string | undefined {
  const [, alias, column] = typeof token === 'string' ? (/^(?:(\w+)\.)?(\w+)$/.exec(token) ?? []) : []
  return column === 'owner' || (column === 'id' && alias === 'owners') ? (alias ?? only) : undefined
}

function tableOf({ word, tokens }: Clause): { table: string; alias: string } | undefined {
  if (!['from', 'join', 'update', 'into'].includes(word)) return undefined
  const [table, next, after] = tokens
  if (typeof table !== 'string') return undefined
  const alias = next === 'as' ? after : next
  return {
    table,
    alias: typeof alias === 'string' && /^\w+$/.test(alias) && alias !== 'default' ? alias : table,
  }
}

/** Subqueries in parentheses, without their own subqueries. */
const queriesIn = (tokens: readonly Token[]): Token[][] =>
  tokens.flatMap(token => (isQuery(token) ? [token] : Array.isArray(token) ? queriesIn(token) : []))
