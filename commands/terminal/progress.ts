/** Shows a progress bar on a terminal; nothing without a terminal. */
import cliProgress from 'cli-progress'

interface ProgressSettings extends cliProgress.Options {
  /** Total and values of the format at the start. */
  total?: number
  values?: object
}

/** Shows a bar while `work` runs. `show` takes the progress, the total once it is known, and values of the format. */
export async function withProgress<Result>(
  what: string,
  work: (show: (done: number, total?: number, values?: object) => void) => Promise<Result>,
  { total: first = 1, values: given = {}, ...options }: ProgressSettings = {},
): Promise<Result> {
  const format = `${what} {bar} {percentage}% {value}/{total}`
  const bar = new cliProgress.SingleBar({
    format,
    stream: process.stderr,
    noTTYOutput: false,
    hideCursor: true,
    ...options,
  })
  bar.start(first, 0, given)
  try {
    return await work((done, total, values) => {
      if (total !== undefined) bar.setTotal(total)
      bar.update(done, values)
    })
  } finally {
    bar.stop()
  }
}
