/** The kernels in workerd, compiled when the worker is deployed. */
import kernels from '../built/kernels.wasm'

/** The build that every runtime supports. */
export const kernelModule = (): WebAssembly.Module => kernels
