/** Starts processes, finds free ports, and reads memory and CPU time of processes from /proc of Linux. */
import { type ChildProcess, type SpawnOptions, spawn } from 'node:child_process'
import { readdir, readFile } from 'node:fs/promises'
import { type AddressInfo, createServer, type Server } from 'node:net'

export interface Started {
  child: ChildProcess
  /** Its output so far. */
  output(): string
  /** Resolves with the exit code. */
  exited: Promise<number | null>
}

/** Starts a program. Resolves when it has printed the text. Rejects with its output when it ends before that. */
export async function startUntil(
  text: string,
  [program, ...args]: readonly [string, ...string[]],
  options: SpawnOptions,
): Promise<Started> {
  const child = spawn(program, args, { ...options, stdio: ['ignore', 'pipe', 'pipe'] })
  let output = ''
  const exited = new Promise<number | null>(resolve => child.once('exit', resolve))
  await new Promise<void>((resolve, reject) => {
    for (const stream of [child.stdout, child.stderr])
      stream?.on('data', chunk => {
        output += chunk
        if (output.includes(text)) resolve()
      })
    void exited.then(code => reject(new Error(`${program} ended with ${code}:\n${output}`)))
  })
  return { child, output: () => output, exited }
}

/** Listens on a port of loopback. 0 is any free port. Returns the port. */
export const listen = (server: Server, port = 0): Promise<number> =>
  new Promise(resolve => {
    server.listen(port, '127.0.0.1', () => resolve((server.address() as AddressInfo).port))
  })

/** A port that is free at the moment, for programs that cannot choose one. */
export async function freePort(): Promise<number> {
  const server = createServer()
  const port = await listen(server)
  await new Promise(resolve => server.close(resolve))
  return port
}

/** The descendant of a process whose command contains this text. Throws when there is none. */
export async function descendantOf(ancestor: number, words: string): Promise<number> {
  const [first] = await descendantsOf(ancestor, words)
  if (first === undefined) throw new Error(`No process below ${ancestor} has "${words}" in its command.`)
  return first
}

/** All descendants of a process whose commands contain this text. */
export async function descendantsOf(ancestor: number, words: string): Promise<number[]> {
  const parents = new Map<number, number>()
  const commands = new Map<number, string>()
  for (const pid of (await readdir('/proc')).filter(name => /^\d+$/.test(name)).map(Number)) {
    // A process may end before its files are read.
    const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '')
    const command = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')
    parents.set(pid, Number(/^PPid:\t(\d+)$/m.exec(status)?.[1]))
    commands.set(pid, command.replaceAll('\0', ' '))
  }
  const isBelow = (pid: number): boolean => {
    const parent = parents.get(pid)
    return parent === ancestor || (parent !== undefined && isBelow(parent))
  }
  return [...commands].flatMap(([pid, command]) => (command.includes(words) && isBelow(pid) ? [pid] : []))
}

/** Resident memory of a process in megabytes: the current one (VmRSS) or the greatest one (VmHWM). */
export async function memoryOf(pid: number, field: 'VmRSS' | 'VmHWM'): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8')
  return Number(new RegExp(`^${field}:\\s+(\\d+) kB$`, 'm').exec(status)?.[1]) / 1024
}

/** CPU seconds of a process so far: fields 14 and 15 of /proc/PID/stat, in hundredths. Fields are counted after the command in brackets. */
export async function cpuSecondsOf(pid: number): Promise<number> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8')
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  return (Number(fields[11]) + Number(fields[12])) / 100
}
