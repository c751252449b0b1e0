/** What the bundler makes of imported files: WASM is compiled, the others are plain bytes (see wrangler.toml). */
declare module '*.wasm' {
  const module: WebAssembly.Module
  export default module
}
declare module '*.vision' {
  const bytes: ArrayBuffer
  export default bytes
}
declare module 'swagger-ui-dist/swagger-ui-bundle.js' {
  const bytes: ArrayBuffer
  export default bytes
}
declare module 'swagger-ui-dist/swagger-ui.css' {
  const bytes: ArrayBuffer
  export default bytes
}
