import type { Runtime } from '../model/runtime.ts'
import { guardedFetch } from './guarded-fetch.ts'
import { createMailer } from './send-mail.ts'

// `process` is the global one: an import of it reads every export, and opens the standard streams: 2 ms of each start.

/** What Node gives beside web standards: a guarded `fetch` and mail. */
export const nodeRuntime: Pick<Runtime, 'fetch' | 'sendMail' | 'kill'> = {
  fetch: guardedFetch,
  sendMail: createMailer().sendMail,
  kill: () => void process.kill(process.pid, 'SIGKILL')
}
