import { STANDARD } from '#models/manifest.ts'

it('the standard pack keeps the promised false match rates: "default" for any two strangers, "alike" for similar ones', () => {
  const { measured } = STANDARD.embedder.calibration
  const promised = { low: 0.1, medium: 1e-3, strict: 1e-5 }
  for (const name of ['low', 'medium', 'strict'] as const) {
    expect(measured!.default[name].strangers).toBeLessThan(1.02 * promised[name])
    expect(measured!.alike![name].alike).toBeLessThan(1.02 * promised[name])
    expect(measured!.alike![name].same).toBeLessThan(measured!.default[name].same)
  }
})
