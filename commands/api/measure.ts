/** Measures requests a second and response times of the running service. */
import { MienError } from '../../clients/typescript/src/index.ts'
import { readPhotoFile } from '../terminal/bounded-file.ts'
import { connect } from '../terminal/connection.ts'
import { dataFolder, pathOf } from '../terminal/paths.ts'
import type { ServiceOptions } from './options.ts'
import { printObject } from './service.ts'

interface BenchOptions extends ServiceOptions {
  operation: 'detect' | 'verify' | 'identify'
  /** Requests at the same time. */
  callers: number
  seconds: number
}

/** Prints the measurement. Returns 1 when no request was answered. Throws the error of a request without an answer. */
export async function measure(options: BenchOptions, photo: string): Promise<number> {
  const { url, tokenFile, data } = options
  // Repetitions would hide refusals.
  const { client } = await connect({ url, tokenFile, data: dataFolder(data), retries: 0 })
  const bytes = await readPhotoFile(pathOf(photo))
  const send = {
    detect: () => client.detect(bytes),
    verify: () => client.verify(bytes, bytes),
    identify: () => client.identify(bytes),
  }[options.operation]
  const measured = await repeated(send, options)
  printObject(measured, options)
  return measured.answered > 0 ? 0 : 1
}

/** The measurement as it is printed: milliseconds per answered request, and refused requests by error code. */
async function repeated(send: () => Promise<unknown>, { operation, callers, seconds }: BenchOptions) {
  const times: number[] = []
  const refused: Record<string, number> = {}
  const started = performance.now()
  const end = started + 1_000 * seconds
  const call = async (): Promise<void> => {
    while (performance.now() < end) {
      const began = performance.now()
      try {
        await send()
        times.push(performance.now() - began)
      } catch (error) {
        if (!(error instanceof MienError)) throw error
        refused[error.code] = (refused[error.code] ?? 0) + 1
      }
    }
  }
  await Promise.all(Array.from({ length: callers }, call))
  const elapsedSeconds = (performance.now() - started) / 1_000
  times.sort((a, b) => a - b)
  const quantile = (share: number) => rounded(times[Math.max(0, Math.ceil(share * times.length) - 1)] ?? 0)
  return {
    operation,
    callers,
    answered: times.length,
    per_second: rounded(times.length / elapsedSeconds),
    median_ms: quantile(0.5),
    p95_ms: quantile(0.95),
    p99_ms: quantile(0.99),
    slowest_ms: quantile(1),
    refused,
  }
}

const rounded = (value: number): number => Math.round(10 * value) / 10
