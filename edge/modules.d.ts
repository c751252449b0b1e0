/** Types of bundled imports: compiled WASM modules, plain bytes, and the built console. See wrangler.toml. */
declare module '*.wasm' {
  const module: WebAssembly.Module
  export default module
}
declare module '*.vision' {
  const bytes: ArrayBuffer
  export default bytes
}
declare module '*.jpg' {
  const bytes: ArrayBuffer
  export default bytes
}
declare module '*/console.json' {
  const files: Readonly<Record<string, string>>
  export default files
}
