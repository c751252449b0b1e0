/** Entry point of the edge of `npm run dev`: the worker of the service with console files that Node replaces. */
import consoleFiles from '../../edge/built/console.json'
import worker from '../../edge/worker.ts'

interface Bindings {
  /** Answers with the built files of the console, as JSON. */
  CONSOLE_FILES: { fetch(url: string): Promise<Response> }
}

export default {
  async fetch(request: Request, bindings: Bindings, context: ExecutionContext): Promise<Response> {
    const { pathname } = new URL(request.url)
    if (pathname === '/' || pathname.startsWith('/console/')) {
      const files = await bindings.CONSOLE_FILES.fetch('http://console')
      Object.assign(consoleFiles, await files.json())
    }
    return worker.fetch(request, bindings, context)
  },
}
