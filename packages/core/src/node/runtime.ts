import process from 'node:process'
import type { Runtime } from '../model/runtime.ts'
import { guardedFetch } from './guarded-fetch.ts'
import { createMailer } from './send-mail.ts'

/** What Node gives beside web standards: a guarded `fetch` and mail. */
export const nodeRuntime: Pick<Runtime, 'fetch' | 'sendMail' | 'kill'> = {
  fetch: guardedFetch,
  sendMail: createMailer().sendMail,
  kill: () => void process.kill(process.pid, 'SIGKILL')
}
