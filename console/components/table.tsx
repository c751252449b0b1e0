/** Tables with a caption, and lists of facts. */
import type { ComponentChildren } from 'preact'
import { useId } from 'preact/hooks'

export interface Row<C extends string> {
  key: string | number
  class?: string
  /** The first cell is the heading of the row. */
  cells: Record<C, ComponentChildren>
}

interface Properties<C extends string> {
  caption: ComponentChildren
  /** Names of the columns, by their keys. */
  columns: Record<C, string>
  rows: readonly Row<C>[]
  /** Classes of the cells of a column. */
  classes?: Partial<Record<C, string>>
  /** False: the rows stay rows in a narrow window. */
  isStacked?: boolean
}

/** In a narrow window, each row becomes a block of names and values; a table that is not stacked scrolls, also by keys. */
export function Table<C extends string>({
  caption,
  columns,
  rows,
  classes = {},
  isStacked = true,
}: Properties<C>) {
  const id = useId()
  const names = Object.entries(columns) as [C, string][]
  const classOf = (column: C) => (classes as Partial<Record<C, string>>)[column]
  return (
    <div class="card table-card" {...(!isStacked && { role: 'region', tabIndex: 0, 'aria-labelledby': id })}>
      <table class={isStacked ? 'stacked' : ''}>
        <caption id={id}>{caption}</caption>
        <thead>
          <tr>
            {names.map(([column, name]) => (
              <th key={column} scope="col" class={classOf(column)}>
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map(({ key, class: row, cells }) => (
            <tr key={key} class={row}>
              {names.map(([column, name], i) =>
                i === 0 ? (
                  <th key={column} scope="row" class={classOf(column)} data-label={name}>
                    {cells[column]}
                  </th>
                ) : (
                  <td key={column} class={classOf(column)} data-label={name}>
                    {cells[column]}
                  </td>
                ),
              )}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

interface FactsProperties {
  /** Name and value of each fact. Those without a value are left out. */
  facts: readonly (readonly [name: string, value: string | undefined])[]
  /** `details`: values below their names. `facts`: a line for each. */
  class: 'details' | 'facts'
}

export const Facts = ({ facts, class: layout }: FactsProperties) => (
  <dl class={layout}>
    {facts.map(
      ([name, value]) =>
        value && (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ),
    )}
  </dl>
)

interface RowButtonProperties {
  text: string
  /** Label of the button, with the name of the row. */
  label: string
  look?: string
  onClick: () => void
}

export const RowButton = ({ text, label, look = 'small', onClick }: RowButtonProperties) => (
  <button type="button" class={look} aria-label={label} onClick={onClick}>
    {text}
  </button>
)
