/** Reads a stream of Server-Sent Events. */

/** One message of a stream. A heartbeat has an id at most. */
export interface Message {
  id?: string
  event?: string
  data?: string
}

/** The complete messages of a body, in order. Ends with the body; a message that breaks off is dropped. */
export async function* messagesOf(
  body: ReadableStream<Uint8Array>,
): AsyncGenerator<Message, void, undefined> {
  const reader = body.getReader()
  const decoder = new TextDecoder()
  let rest = ''
  try {
    for (;;) {
      const { done, value } = await reader.read()
      if (done) return
      const blocks = (rest + decoder.decode(value, { stream: true })).replaceAll('\r\n', '\n').split('\n\n')
      rest = blocks.pop() ?? ''
      for (const block of blocks) yield messageOf(block)
    }
  } finally {
    reader.cancel().catch(() => {})
  }
}

/** Lines of comments begin with a colon. Lines of data are joined. */
function messageOf(block: string): Message {
  const message: Message = {}
  for (const line of block.split('\n')) {
    const [, name, value = ''] = /^(\w+)(?:: ?(.*))?$/.exec(line) ?? []
    if (name === 'data') message.data = message.data === undefined ? value : `${message.data}\n${value}`
    else if (name === 'id' || name === 'event') message[name] = value
  }
  return message
}
