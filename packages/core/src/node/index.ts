export { guardedFetch, OutboundError } from './guarded-fetch.ts'
export { nodeRuntime } from './runtime.ts'
export { sendMail } from './send-mail.ts'
