import type { ThrownErrorPolicy } from '../hooks/authorize-sign-in.ts'
import type { NormalizedOptions } from './normalized-options.ts'

/** Resolves `errors`; in production, the first message that is shown is reported, without the message itself. */
export function createThrownErrorPolicy({
  options: { errors = 'message' },
  isProduction,
  logger
}: Pick<NormalizedOptions, 'options' | 'isProduction' | 'logger'>): ThrownErrorPolicy {
  let isReported = !isProduction
  return {
    mode: errors,
    onMessage: (callee) => {
      if (isReported) return
      isReported = true
      logger.warn(
        'CONFIGURATION',
        `errors: the message of an error that ${callee} threw became part of a URL, which browsers and proxies record; ` +
          "throw a SignInError with a code, or set errors: 'code'"
      )
    }
  }
}
