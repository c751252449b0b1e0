/** A conversion whose process is killed at one of its steps: `node convert.child.ts WORK DATA STEP [COUNT]`, at the step's COUNT-th time. */
import { flushCompileCache } from 'node:module'
import { changeDataKey, turnOff, turnOn } from '#core/backup/convert.ts'
import { NEW_KEY, OPERATOR } from '#test/unit/core/backup/keys.ts'

// A killed process keeps no compiled sources otherwise.
flushCompileCache()

const [, , work, data = '', doom = '', count = '1'] = process.argv

let times = 0
const at = (step: string): void => {
  if (step !== doom || ++times < Number(count)) return
  process.kill(process.pid, 'SIGKILL')
  // The signal has been sent; the process must do nothing more.
  for (;;);
}

const conversion = {
  data,
  operator: OPERATOR,
  onLost: (what: string) => process.stderr.write(what),
  onStep: at,
  onPicture: () => at('picture'),
}

if (work === 'on') await turnOn(conversion)
else if (work === 'off') await turnOff(conversion)
else await changeDataKey(conversion, NEW_KEY)
