/** Types of the workerd package, which has none: its default export is the path of the program. */
declare module 'workerd' {
  const workerd: { default: string }
  export default workerd
}
