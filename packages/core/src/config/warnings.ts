import type { RateRule } from '../model/rate-limiter.ts'
import { adapterWarnings } from './adapter-warnings.ts'
import { themeWarnings } from './check-theme.ts'
import type { Constants } from './config.ts'
import { cookieWarnings, maxCookieSeconds } from './cookie-warnings.ts'
import { emailWarnings } from './email-warnings.ts'
import type { NormalizedOptions } from './normalized-options.ts'
import type { PosternOptions } from './options.ts'

const day = 86_400

/** Ten years in seconds: a longer session is probably a mistake. */
const tenYears = 315_360_000

const tooLong = (option: string, bound: string, given: number): string =>
  `${option}: expected at most ${bound}, got ${given}; divide by 1000 if these are milliseconds`

/** @returns Warnings about durations that next-auth allows, but that are probably a mistake, such as milliseconds. */
function sessionTimeWarnings({ session = {}, jwt = {} }: PosternOptions, constants: Constants): readonly string[] {
  const { maxAge = constants.sessionMaxAge, updateAge = 0, absoluteMaxAge = 0, idleTimeout = 0 } = session
  const { maxAge: tokenMaxAge = 0 } = jwt
  const asCookies = `${maxCookieSeconds} seconds (400 days, the maximum lifetime of a cookie in browsers)`
  const isNeverRenewed = updateAge > maxAge
  return [
    ...(maxAge > maxCookieSeconds ? [tooLong('session.maxAge', asCookies, maxAge)] : []),
    ...(tokenMaxAge > maxCookieSeconds ? [tooLong('jwt.maxAge', asCookies, tokenMaxAge)] : []),
    ...(absoluteMaxAge > tenYears
      ? [tooLong('session.absoluteMaxAge', `${tenYears} seconds (ten years)`, absoluteMaxAge)]
      : []),
    ...(idleTimeout > maxAge
      ? [
          `session.idleTimeout: expected at most the ${maxAge} seconds of session.maxAge, got ${idleTimeout}; sessions end before it`
        ]
      : []),
    ...(isNeverRenewed
      ? [
          `session.updateAge: expected at most the ${maxAge} seconds of session.maxAge, got ${updateAge}; sessions would expire before they are renewed: lower updateAge, or omit it`
        ]
      : [])
  ]
}

function rateWarnings({ rateLimit }: PosternOptions): readonly string[] {
  const { limiter: _, ...rules } = rateLimit || {}
  return Object.entries(rules).flatMap(([name, rule]: [string, RateRule | undefined]) =>
    rule && rule.seconds > day
      ? [
          `rateLimit.${name}.seconds: expected at most ${day} (a day), got ${rule.seconds}; divide by 1000 if these are milliseconds`
        ]
      : []
  )
}

function codecWarnings({ jwt: { encode, decode } = {} }: PosternOptions): readonly string[] {
  if (Boolean(encode) === Boolean(decode)) return []
  const [given, other] = encode ? ['encode', 'decode'] : ['decode', 'encode']
  return [
    `jwt.${given}: expected jwt.${other} too; no user can sign in if the built-in functions cannot read your tokens, or the other way round: pass both, unless yours calls the one of @postern/core/jwt`
  ]
}

/** @returns Warnings about values that are allowed, but probably a mistake. */
export function findWarnings(draft: NormalizedOptions): readonly string[] {
  const { options, constants, siteAddress, secrets, dataSecrets, isDatabaseSession } = draft
  return [
    ...siteAddress.warnings,
    ...secrets.warnings,
    ...dataSecrets.warnings,
    ...sessionTimeWarnings(options, constants),
    ...(isDatabaseSession ? [] : codecWarnings(options)),
    ...cookieWarnings(draft),
    ...rateWarnings(options),
    ...themeWarnings(options),
    ...draft.found.warnings,
    ...adapterWarnings(draft),
    ...emailWarnings(draft)
  ]
}
