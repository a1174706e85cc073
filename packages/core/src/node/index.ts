export { guardedFetch, OutboundError } from './guarded-fetch.ts'
export { proxiedFetch } from './proxied-fetch.ts'
export { nodeRuntime } from './runtime.ts'
export { createMailer, type Mailer } from './send-mail.ts'
