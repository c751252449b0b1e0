/** Parses Python files with assignments of literals, without executing them. */
import { parser } from '@lezer/python'

type SyntaxNode = ReturnType<typeof parser.parse>['topNode']

/** A Python value in JavaScript. No option takes None, a list, a tuple, a set or a dict: they are null, whatever they hold. */
export type PythonValue = null | boolean | number | string

/** Start of a node in its text; both count from 1. */
interface Place {
  line: number
  column: number
}

interface Assignment extends Place {
  name: string
  value: PythonValue
}

/** Text that is not an assignment of a literal. The message describes the text. */
export class NotALiteral extends Error {
  override readonly name = 'NotALiteral'
  readonly place: Place

  constructor(message: string, place: Place) {
    super(message)
    this.place = place
  }
}

/** The assignments of a file, in order. Throws NotALiteral at the first other statement. */
export function readAssignments(text: string): Assignment[] {
  const source = new Source(text)
  return childrenOf(source.tree()).flatMap(statement => assignmentsOf(source, statement))
}

/** Parses one literal. Throws NotALiteral for anything else. */
export function readLiteral(text: string): PythonValue {
  const [assignment, ...more] = readAssignments(`value = ${text}`)
  if (!assignment || more.length > 0) throw new NotALiteral('This is not one value.', { line: 1, column: 1 })
  return assignment.value
}

/** A text, its syntax tree, and positions in it. */
class Source {
  readonly #text: string

  constructor(text: string) {
    this.#text = text
  }

  /** The syntax tree. Throws NotALiteral at a syntax error. */
  tree(): SyntaxNode {
    const tree = parser.parse(this.#text)
    tree.iterate({
      enter: ({ type, node }) => {
        if (type.isError) throw this.refusal(node, 'This is not valid Python.')
      },
    })
    return tree.topNode
  }

  textOf({ from, to }: SyntaxNode): string {
    return this.#text.slice(from, to)
  }

  placeOf({ from }: SyntaxNode): Place {
    const before = this.#text.slice(0, from).split('\n')
    return { line: before.length, column: (before.at(-1)?.length ?? 0) + 1 }
  }

  refusal(node: SyntaxNode, message: string): NotALiteral {
    return new NotALiteral(message, this.placeOf(node))
  }
}

const PUNCTUATION = new Set(['(', ')', '[', ']', '{', '}', ',', ':', ';', 'Comment'])

/** The children of a node, without punctuation and comments. */
function childrenOf(node: SyntaxNode): SyntaxNode[] {
  const children: SyntaxNode[] = []
  for (let child = node.firstChild; child; child = child.nextSibling)
    if (!PUNCTUATION.has(child.name)) children.push(child)
  return children
}

/** One assignment, or several on one line. */
function assignmentsOf(source: Source, statement: SyntaxNode): Assignment[] {
  if (statement.name === 'StatementGroup')
    return childrenOf(statement).flatMap(one => assignmentsOf(source, one))
  const [target, operator, value, ...rest] = childrenOf(statement)
  const isAssignment = statement.name === 'AssignStatement' && target?.name === 'VariableName'
  if (!isAssignment || operator?.name !== 'AssignOp' || !value || rest.length > 0)
    throw source.refusal(statement, 'Only assignments such as `name = value` are allowed here.')
  return [{ name: source.textOf(target), value: literalOf(source, value), ...source.placeOf(value) }]
}

/** Readers by kind of node. */
const READERS: Record<string, (source: Source, node: SyntaxNode) => PythonValue> = {
  None: () => null,
  Boolean: (source, node) => source.textOf(node) === 'True',
  Number: numberOf,
  String: stringOf,
  ContinuedString: (source, node) =>
    childrenOf(node)
      .map(part => literalOf(source, part))
      .join(''),
  ArrayExpression: containerOf,
  TupleExpression: containerOf,
  SetExpression: containerOf,
  DictionaryExpression: containerOf,
  ParenthesizedExpression: (source, node) => literalOf(source, onlyChildOf(source, node)),
  UnaryExpression: signedOf,
  BinaryExpression: calculated,
}

function literalOf(source: Source, node: SyntaxNode): PythonValue {
  const read = READERS[node.name]
  if (read) return read(source, node)
  const shown = source.textOf(node).slice(0, 40)
  throw source.refusal(node, `Only literals are allowed here, not \`${shown}\`.`)
}

function onlyChildOf(source: Source, node: SyntaxNode): SyntaxNode {
  const [child, ...rest] = childrenOf(node)
  if (!child || rest.length > 0) throw source.refusal(node, 'Only literals are allowed here.')
  return child
}

/** Python integers have no leading zeros. Imaginary numbers are not supported. */
function numberOf(source: Source, node: SyntaxNode) {
  const digits = source.textOf(node).replaceAll('_', '')
  const number = /^0[0-9]*[1-9]/.test(digits) ? Number.NaN : Number(digits)
  if (!Number.isFinite(number)) throw source.refusal(node, `The number \`${digits}\` is not understood.`)
  return number
}

/** A prefix of text, then one of four kinds of quotes around the content. */
const STRING = /^[ru]?("""|'''|"|')([\s\S]*)\1$/i

/** Escapes stay as they are written: no option has a value with one. */
function stringOf(source: Source, node: SyntaxNode) {
  const [, , text] = STRING.exec(source.textOf(node)) ?? []
  if (text === undefined) throw source.refusal(node, 'This text is not closed or not understood.')
  return text
}

function containerOf(source: Source, node: SyntaxNode): null {
  for (const item of childrenOf(node)) literalOf(source, item)
  return null
}

function signedOf(source: Source, node: SyntaxNode) {
  const [sign, operand] = childrenOf(node)
  const operator = sign && source.textOf(sign)
  if (!operand || (operator !== '-' && operator !== '+'))
    throw source.refusal(node, 'Of operators before a value, only the signs + and - are allowed.')
  const number = operandOf(source, operand)
  return operator === '-' ? -number : number
}

const OPERATIONS: Record<string, (left: number, right: number) => number> = {
  '+': (left, right) => left + right,
  '-': (left, right) => left - right,
  '*': (left, right) => left * right,
}

function calculated(source: Source, node: SyntaxNode) {
  const [left, operator, right] = childrenOf(node)
  const calculate = operator && OPERATIONS[source.textOf(operator)]
  if (!left || !right || !calculate)
    throw source.refusal(operator ?? node, 'Of operators, only + - * between numbers are allowed.')
  return calculate(operandOf(source, left), operandOf(source, right))
}

function operandOf(source: Source, node: SyntaxNode) {
  const value = literalOf(source, node)
  if (typeof value !== 'number') throw source.refusal(node, 'Calculations are for numbers only.')
  return value
}
