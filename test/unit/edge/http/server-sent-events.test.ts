import { eventStream, type ServerSentEvent } from '#edge/http/streamed.ts'

/** A response with these batches. `pulled` counts the batches that were requested, `ended` tells whether the source was ended. */
function opened(...batches: (ServerSentEvent[] | Error)[]) {
  const state = { pulled: 0, ended: false }
  async function* items(): AsyncGenerator<ServerSentEvent[], void> {
    try {
      for (const batch of batches) {
        state.pulled++
        if (batch instanceof Error) throw batch
        yield batch
      }
    } finally {
      state.ended = true
    }
  }
  return { response: eventStream(items(), item => item), state }
}

describe('a stream of Server-Sent Events', () => {
  it('has events with id, type and JSON, and heartbeats with an id alone', async () => {
    const { response } = opened(
      [{ id: 1 }],
      [
        { id: 2, type: 'face', data: { meta: 'a\nb' } },
        { id: 3, type: 'alert', data: [] },
      ],
    )
    expect(await response.text()).toBe(
      'retry: 1000\n\n:\nid: 1\n\nid: 2\nevent: face\ndata: {"meta":"a\\nb"}\n\nid: 3\nevent: alert\ndata: []\n\n',
    )
    expect(response.headers.get('content-type')).toBe('text/event-stream; charset=utf-8')
  })

  it('asks its source for nothing that the caller does not read', async () => {
    const { response, state } = opened([{ id: 1 }], [{ id: 2 }], [{ id: 3 }])
    const reader = response.body!.getReader()
    await reader.read()
    expect(state.pulled).toBe(0)
    await reader.read()
    expect(state.pulled).toBe(1)
    await reader.cancel()
    expect(state).toEqual({ pulled: 1, ended: true })
  })
})
