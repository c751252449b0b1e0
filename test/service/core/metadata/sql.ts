/** A reader of SQL statements, as far as it takes to say which tables they touch without naming whose rows they mean. */

/** A word, an identifier, an operator, the number of a parameter, or what stands between parentheses. */
type Token = string | { parameter: number } | Token[]

const WORD = /'(?:[^']|'')*'|"[^"]+"|`[^`]+`|[\w.]+|\?|[(),]|[<>=!|*/%+-]+/g

/** Nested by parentheses, in lower case, without quotes about identifiers: `"faces"."owner"` is `faces.owner`. */
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

/** What has to be true for a row to be meant: the parts of a condition between its ANDs. An OR makes nothing certain. */
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

/** Tables that a statement touches without its owner; none where each of them is bound to this owner. */
export function unowned({ sql, args }: Statement, owner: string, owned: ReadonlySet<string>): string[] {
  const isOwner = (token: Token | undefined): boolean =>
    typeof token === 'object' && 'parameter' in token && args[token.parameter] === owner

  /** Looks at one SELECT, INSERT, UPDATE or DELETE, and at those within it, which see what it has bound. */
  function look(tokens: readonly Token[], outer: ReadonlySet<string>): string[] {
    const split = tokens.indexOf('union')
    if (split >= 0) return [...look(tokens.slice(0, split), outer), ...look(tokens.slice(split + 1), outer)]
    const clauses = clausesOf(tokens)
    const tables = clauses.flatMap(clause => tableOf(clause) ?? [])
    const bound = new Set(outer)
    if (insertsFor(clauses)) bound.add(tables[0]!.alias)
    // One may be bound by another that is bound only behind it.
    for (const _ of tables) bind(equalities(clauses), tables[0]?.alias, bound)
    const lacking = tables.filter(({ table, alias }) => owned.has(table) && !bound.has(alias))
    return [...lacking.map(({ table }) => table), ...queriesIn(tokens).flatMap(query => look(query, bound))]
  }

  /** Adds what is equal to the owner, or to what is bound already. */
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

  /** Whether every row that is inserted is the owner's. */
  function insertsFor(clauses: readonly Clause[]): boolean {
    const into = clauses.find(({ word }) => word === 'into')?.tokens
    const at = Array.isArray(into?.[1]) ? into[1].filter(token => token !== ',').indexOf('owner') : -1
    if (at < 0) return false
    const rows = clauses.find(({ word }) => word === 'values')?.tokens.filter(Array.isArray)
    // What is selected is looked at by itself.
    return rows === undefined || rows.every(row => isOwner(row.filter((token: Token) => token !== ',')[at]))
  }

  return look(read(sql), new Set())
}

/** What certainly is equal, each way round. */
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

/** Whose owner a column is: the alias of its table; `only` where it says none. */
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

/** The queries between parentheses, however deep; not those within them. */
const queriesIn = (tokens: readonly Token[]): Token[][] =>
  tokens.flatMap(token => (isQuery(token) ? [token] : Array.isArray(token) ? queriesIn(token) : []))
