/** What the bundler makes of imported binaries: WASM is compiled, ONNX is plain bytes. */
declare module '*.wasm' {
  const module: WebAssembly.Module
  export default module
}
declare module '*.onnx' {
  const bytes: ArrayBuffer
  export default bytes
}
