import type { Constants } from './config.ts'
import type { PosternOptions } from './options.ts'

/** Seconds that a browser keeps a cookie at most: 400 days (RFC 6265bis). */
export const longestCookie = 34_560_000

/** Seconds that nobody means to hold a session to: ten years. */
const tenYears = 315_360_000

const tooLong = (option: string, bound: string, given: number): string =>
  `${option}: expected at most ${bound}, got ${given}; divide by 1000 if these are milliseconds`

/** @returns What is allowed, as next-auth allows it, and hardly meant: above all milliseconds. */
export function sessionTimeWarnings(
  { session = {}, jwt = {} }: PosternOptions,
  constants: Constants
): readonly string[] {
  const { maxAge = constants.sessionMaxAge, updateAge = 0, absoluteMaxAge = 0 } = session
  const { maxAge: tokenMaxAge = 0 } = jwt
  const asCookies = `${longestCookie} seconds (400 days, which is as long as browsers keep a cookie)`
  const isNeverRenewed = updateAge > maxAge
  return [
    ...(maxAge > longestCookie ? [tooLong('session.maxAge', asCookies, maxAge)] : []),
    ...(tokenMaxAge > longestCookie ? [tooLong('jwt.maxAge', asCookies, tokenMaxAge)] : []),
    ...(absoluteMaxAge > tenYears
      ? [tooLong('session.absoluteMaxAge', `${tenYears} seconds (ten years)`, absoluteMaxAge)]
      : []),
    ...(isNeverRenewed
      ? [
          `session.updateAge: expected at most the ${maxAge} seconds of session.maxAge, got ${updateAge}; a session ends before it is renewed: lower updateAge, or leave it out`
        ]
      : [])
  ]
}
