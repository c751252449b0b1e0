import { newToken, tokenHash } from '#contract/model/token.ts'

it('tokenHash returns undefined when one character is wrong', async () => {
  const token = await newToken()
  for (let i = 5; i < token.length; i++) {
    const other = token[i] === '0' ? '1' : '0'
    expect(await tokenHash(token.slice(0, i) + other + token.slice(i + 1))).toBeUndefined()
  }
})
