import { serializeError } from '../errors/serialize-error.ts'
import { describeKind, UserCodeError } from '../errors/user-code.ts'
import { toCanonicalTag } from '../http/accept-language.ts'
import type { Logger } from '../model/logger.ts'
import type { User } from '../model/user.ts'

/** @returns The language of the mails to a user as a BCP 47 tag; `null` for the language of the request. */
export type GetMailLanguage = (user: User) => Promise<string | null>

/**
 * Wraps the `language` callback. A mail is more important than its language: if the callback fails, the log says so, and the
 * mail has the language of the request.
 */
export function createMailLanguage(
  callback: (question: { readonly user: User }) => Promise<unknown>,
  logger: Pick<Logger, 'warn'>
): GetMailLanguage {
  return async (user) => {
    try {
      const result = await callback({ user })
      if (result === null || result === undefined) return null
      const tag = typeof result === 'string' ? toCanonicalTag(result) : null
      if (tag !== null) return tag
      throw new UserCodeError(
        `callbacks.language returned ${describeKind(result)}, not a language tag (BCP 47) or null`
      )
    } catch (error) {
      logger.warn('MAIL_LANGUAGE_ERROR', serializeError(error))
      return null
    }
  }
}
