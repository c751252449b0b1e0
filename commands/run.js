/** Runs commands by their spellings of earlier versions: `npm run token -- list`. Goes with the next version. */

/** Verbs whose spelling as an npm script stays. */
const UNCHANGED = ['start', 'build']

/** Verbs that had another name. */
const RENAMED = { 'audit-log': 'audit' }

const [name = '', ...args] = process.argv.slice(2)
const verb = RENAMED[name] ?? name
if (!UNCHANGED.includes(name)) console.error(`npm run ${name} is now: mien ${verb}`)
process.argv.splice(2, process.argv.length, verb, ...args)
await import('./mien.js')
