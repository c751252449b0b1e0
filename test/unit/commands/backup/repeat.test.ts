/** Repeated tasks: each runs at once and at its interval, alone, again soon after a failure, and until a signal. */
import { repeat } from '#commands/backup/follow.ts'

const LONG_MS = 3_600_000

describe('repeat', () => {
  it('runs each task at once, in order, and then the one that is due', async () => {
    const stop = new AbortController()
    const ran: string[] = []
    const work = (name: string) => async () => {
      ran.push(name)
      if (ran.length === 5) stop.abort()
    }
    await repeat(
      [
        { everyMs: 1, work: work('often') },
        { everyMs: LONG_MS, work: work('seldom') },
      ],
      { signal: stop.signal, onError: () => {} },
    )
    expect(ran).toEqual(['often', 'seldom', 'often', 'often', 'often'])
  })

  it('repeats a failed task before its interval, and reports each failure', async () => {
    const stop = new AbortController()
    const errors: unknown[] = []
    let runs = 0
    const work = async () => {
      if (++runs === 3) stop.abort()
      throw new Error(`failure ${runs}`)
    }
    await repeat([{ everyMs: LONG_MS, againMs: 1, work }], {
      signal: stop.signal,
      onError: error => errors.push(error),
    })
    expect(errors.map(String)).toEqual(['Error: failure 1', 'Error: failure 2', 'Error: failure 3'])
  })
})
