/** The package of workerd, which has no types: its default export is the path of the program. */
declare module 'workerd' {
  const workerd: { default: string }
  export default workerd
}
