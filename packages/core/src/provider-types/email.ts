import { startEmail } from './email-start.ts'
import { verifyEmail } from './email-verify.ts'
import type { ProviderHandler } from './handler.ts'

/** A link, and a code beside it, that only who reads the mail can have. */
export const email: ProviderHandler<'email'> = {
  methods: ['GET', 'POST'],
  csrfOnCallback: true,
  start: startEmail,
  verify: verifyEmail
}
