export { guardedFetch, OutboundError } from './guarded-fetch.ts'
export { proxiedFetch } from './proxied-fetch.ts'
export { nodeRuntime } from './runtime.ts'
export { createMailer, loadNodemailer, type Mailer } from './send-mail.ts'
