import type { Constants } from './config.ts'
import type { PosternOptions } from './options.ts'

/** Seconds that a browser keeps a cookie at most: 400 days (RFC 6265bis). */
const longestCookie = 34_560_000

/** @returns What is allowed, as next-auth allows it, and hardly meant: above all milliseconds. */
export function sessionTimeWarnings({ session = {} }: PosternOptions, constants: Constants): readonly string[] {
  const { maxAge = constants.sessionMaxAge, updateAge = 0 } = session
  const isLong = maxAge > longestCookie
  const isNeverRenewed = updateAge > maxAge
  return [
    ...(isLong
      ? [
          `session.maxAge: expected at most ${longestCookie} seconds (400 days, which is as long as browsers keep a cookie), got ${maxAge}; divide by 1000 if these are milliseconds`
        ]
      : []),
    ...(isNeverRenewed
      ? [
          `session.updateAge: expected at most the ${maxAge} seconds of session.maxAge, got ${updateAge}; a session ends before it is renewed: lower updateAge, or leave it out`
        ]
      : [])
  ]
}
