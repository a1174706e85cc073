import { passkey } from '@better-auth/passkey'
import { startBetterAuth } from './better-auth.ts'
import { getLocalOrigin, type Subject } from './subject.ts'

/** better-auth with its plugin for passkeys. */
export const subject: Subject = {
  start: (settings) =>
    startBetterAuth(settings, [passkey({ rpID: 'localhost', rpName: 'Bench', origin: getLocalOrigin(settings) })])
}
