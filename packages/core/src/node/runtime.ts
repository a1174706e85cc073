import type { Runtime } from '../model/runtime.ts'
import { guardedFetch } from './guarded-fetch.ts'
import { createMailer, loadNodemailer } from './send-mail.ts'

// `process` is the global: importing it reads every export, and opens the standard streams: 2 ms of each start.

/** The runtime of Node: a guarded `fetch`, and mail over SMTP. */
export const nodeRuntime: Pick<Runtime, 'fetch' | 'loadMailer' | 'sendMail'> = {
  fetch: guardedFetch,
  loadMailer: loadNodemailer,
  sendMail: createMailer().sendMail
}
