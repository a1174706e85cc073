import type { EmailProvider } from './email-provider.ts'

/** The id of the mailed code that confirms a signed-in user; no provider may have it. */
export const confirmationProviderId = 'mailed-code'

/** Seconds in which a mailed code confirms. */
const maxAge = 600

/**
 * The mail server as a way to confirm that it is the signed-in user: by a code, which works in the browser that asked for it. It is no way
 * in, and no list of providers contains it.
 */
export function createConfirmationProvider(mailer: EmailProvider): EmailProvider {
  return {
    ...mailer,
    id: confirmationProviderId,
    maxAge,
    code: 'only',
    confirm: 'always',
    // What the application sends and normalizes is about sign-ins.
    sendVerificationRequest: null,
    generateVerificationToken: null,
    normalizeIdentifier: null,
    captcha: null,
    traits: {
      ...mailer.traits,
      accountPolicy: 'stored',
      provesMailbox: true,
      admitsMailboxOwner: false,
      callbackMethods: ['POST']
    }
  }
}
