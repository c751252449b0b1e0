/** Types of bundled imports: compiled WASM modules and plain bytes. See wrangler.toml. */
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
