/** Shows Markdown as the documentation writes it: headings, paragraphs, lists, tables, code, emphasis, links and pictures. */
import type { ComponentChildren } from 'preact'
import { hashOf } from '../route.ts'
import { TEXTS } from '../texts.ts'
import { addressOf, GUIDE, idOfHeading } from './documents.ts'

/** Blocks are separated by empty lines. Code keeps its own. */
const BLOCK = /```[^\n]*\n[\s\S]*?```|(?:(?!```)[^\n]+\n?)+/g

/** `page` is the name of the page. The sections of the guide are listed after its title. */
export function Markdown({ text, page }: { text: string; page: string }) {
  const [title, ...blocks] = (text.match(BLOCK) ?? []).map((block, i) => blockOf(block.trim(), i))
  return (
    <>
      {title}
      {page === GUIDE && <Contents text={text} />}
      {blocks}
    </>
  )
}

const Contents = ({ text }: { text: string }) => (
  <nav class="row contents" aria-label={TEXTS.help.contents}>
    {[...text.matchAll(/^## (.*)/gm)].map(([, title = '']) => (
      <a key={title} href={hashOf({ page: 'help', name: GUIDE, section: idOfHeading(title) })}>
        {title}
      </a>
    ))}
  </nav>
)

function blockOf(block: string, key: number): ComponentChildren {
  const [, alt, picture] = /^!\[(.*)\]\(pictures\/(\S+\.webp)\)$/.exec(block) ?? []
  if (picture !== undefined) return <img key={key} src={addressOf(picture)} alt={alt} loading="lazy" />
  if (block.startsWith('```'))
    return <pre key={key}>{block.replace(/^```.*\n/, '').replace(/\n?```$/, '')}</pre>
  const heading = /^(#{1,3}) (.*)/.exec(block)
  if (heading) {
    const Heading = `h${heading[1]!.length}` as 'h1' | 'h2' | 'h3'
    return (
      <Heading key={key} id={idOfHeading(heading[2]!)}>
        {inline(heading[2]!)}
      </Heading>
    )
  }
  if (block.startsWith('|')) return <Rows key={key} lines={block.split('\n')} />
  const List = block.startsWith('- ') ? 'ul' : 'ol'
  if (List === 'ol' && !/^\d+\. /.test(block)) return <p key={key}>{inline(block)}</p>
  return (
    <List key={key}>
      {block.split(/\n(?=- |\d+\. )/).map((item, i) => (
        <li key={i}>{inline(item.replace(/^(?:-|\d+\.) /, ''))}</li>
      ))}
    </List>
  )
}

/** The cells of a row. `\|` is no border. */
const cellsOf = (line: string) =>
  line
    .replace(/^\||\|$/g, '')
    .split(/(?<!\\)\|/)
    .map(cell => cell.trim().replaceAll('\\|', '|'))

function Rows({ lines: [head = '', , ...rows] }: { lines: string[] }) {
  const row = (line: string, key: number, Cell: 'th' | 'td') => (
    <tr key={key}>
      {cellsOf(line).map((cell, i) => (
        <Cell key={i}>{inline(cell)}</Cell>
      ))}
    </tr>
  )
  return (
    <div class="table-card">
      <table>
        <thead>{row(head, 0, 'th')}</thead>
        <tbody>{rows.map((line, i) => row(line, i, 'td'))}</tbody>
      </table>
    </div>
  )
}

const INLINE = /`([^`]+)`|\*\*([^*]+)\*\*|\*([^*]+)\*|\[([^\]]+)\]\(([^)\s]+)\)|<(https?:[^>]+)>/g

function inline(text: string): ComponentChildren[] {
  const parts: ComponentChildren[] = []
  let end = 0
  for (const match of text.matchAll(INLINE)) {
    const [whole, code, strong, emphasis, label, target = '', address] = match
    parts.push(text.slice(end, match.index))
    end = match.index + whole.length
    if (code !== undefined) parts.push(<code>{code}</code>)
    else if (strong !== undefined) parts.push(<strong>{inline(strong)}</strong>)
    else if (emphasis !== undefined) parts.push(<em>{inline(emphasis)}</em>)
    else parts.push(linkTo(address ?? target, label === undefined ? [address] : inline(label)))
  }
  return [...parts, text.slice(end)]
}

/** A link to another page of the documentation, or to another site. Files that are only in the repository get no link. */
function linkTo(target: string, label: ComponentChildren[]): ComponentChildren {
  const [, name, section] = /^([\w-]+)\.md(?:#(.*))?$/.exec(target) ?? []
  if (name !== undefined) return <a href={hashOf({ page: 'help', name, section })}>{label}</a>
  return /^https?:/.test(target) ? <a href={target}>{label}</a> : <span>{label}</span>
}
