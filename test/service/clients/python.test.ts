import { inject } from 'vitest'
import { SAMPLES } from '#test/support/client.ts'
import { pythonMissing, runPython } from '#test/support/python.ts'
import { newToken } from '#test/support/tokens.ts'
import { blocksOf, linesOf, promisedOutput } from './samples.ts'

describe.skipIf(pythonMissing)('the Python client', { tags: ['long', 'python'] }, () => {
  it('has a README whose samples print what they promise', async () => {
    const code = (await blocksOf('clients/python/README.md', 'python')).join('\n')
    const env = { MIEN_URL: inject('edge'), MIEN_TOKEN: newToken(inject('data'), 'Python samples') }
    const { output, errors } = await runPython(code, env, SAMPLES)
    expect(errors).toBe('')
    expect(linesOf(output)).toEqual(promisedOutput(code))
  })
})
