import type { Runtime } from '../model/runtime.ts'
import { guardedFetch } from './guarded-fetch.ts'
import { createMailer } from './send-mail.ts'

// `process` is the global: importing it reads every export, and opens the standard streams: 2 ms of each start.

/** The runtime of Node: a guarded `fetch`, and mail over SMTP. */
export const nodeRuntime: Pick<Runtime, 'fetch' | 'sendMail'> = {
  fetch: guardedFetch,
  sendMail: createMailer().sendMail
}
