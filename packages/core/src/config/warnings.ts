import type { RateRule } from '../model/rate-limiter.ts'
import { themeWarnings } from './check-theme.ts'
import { cookieWarnings } from './cookie-warnings.ts'
import type { Draft } from './normalized-options.ts'
import type { PosternOptions } from './options.ts'
import { sessionTimeWarnings } from './session-times.ts'

const day = 86_400

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
    `jwt.${given}: expected jwt.${other} beside it; nobody is signed in where ours cannot read what yours writes, or the other way round: pass both, unless it calls that of @postern/core/jwt`
  ]
}

/** Providers of Auth.js use their `scope` up; elsewhere it is next-auth v3's, and nothing reads it. */
function scopeWarnings({ found }: Draft): readonly string[] {
  return found.providers.flatMap((provider) => {
    if (provider.kind !== 'oauth') return []
    const { scope } = provider.given
    const asked = provider.authorization.params['scope']
    const isRead = scope === undefined || (typeof scope === 'string' && asked?.includes(scope))
    return isRead
      ? []
      : [`providers.${provider.id}.scope: nothing reads it; write authorization: { params: { scope: 'one two' } }`]
  })
}

/** @returns What is allowed, and hardly meant. */
export function warningsOf(draft: Draft): readonly string[] {
  const { options, constants, place, secrets, isDatabaseSession } = draft
  return [
    ...place.warnings,
    ...secrets.warnings,
    ...sessionTimeWarnings(options, constants),
    ...(isDatabaseSession ? [] : codecWarnings(options)),
    ...cookieWarnings(draft),
    ...rateWarnings(options),
    ...themeWarnings(options),
    ...scopeWarnings(draft)
  ]
}
