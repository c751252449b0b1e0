/** Shows a progress bar on a terminal; nothing without a terminal. */
import cliProgress from 'cli-progress'

/** Shows a bar while `work` runs. `show` takes the progress and, once known, the total. */
export async function withProgress<Result>(
  what: string,
  work: (show: (done: number, total?: number) => void) => Promise<Result>,
): Promise<Result> {
  const format = `${what} {bar} {percentage}% {value}/{total}`
  const bar = new cliProgress.SingleBar({
    format,
    stream: process.stderr,
    noTTYOutput: false,
    hideCursor: true,
  })
  bar.start(1, 0)
  try {
    return await work((done, total) => {
      if (total !== undefined) bar.setTotal(total)
      bar.update(done)
    })
  } finally {
    bar.stop()
  }
}
