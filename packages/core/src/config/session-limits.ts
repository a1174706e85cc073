import type { Adapter } from '../adapter/adapter.ts'
import { revocationMethods } from '../adapter/revocation.ts'
import type { Problem } from '../errors/config-error.ts'
import type { Lifetime } from '../sessions/session-renewal.ts'
import type { Constants } from './config.ts'
import type { SessionDraft } from './missing-methods.ts'
import type { SessionOptions } from './options.ts'

/** The adapter methods that count and end the sessions of a user. */
function missingToLimit({ options, adapter, isDatabaseSession }: SessionDraft): readonly (keyof Adapter)[] {
  const { revocations } = options.session ?? {}
  const forRecords = ['putSessionRecord', 'getSessionRecords'] as const
  const toEnd = isDatabaseSession ? (['listSessions'] as const) : revocations ? [] : revocationMethods
  const isMissing = (name: keyof Adapter): boolean =>
    !adapter?.[name] || (revocations === false && revocationMethods.some((other) => other === name))
  return [...forRecords, ...toEnd].filter(isMissing)
}

/** @returns Problems of limits that the adapter or the format of the sessions cannot keep. */
export function checkSessionLimits(draft: SessionDraft): Problem[] {
  const { options, isDatabaseSession } = draft
  const { maxPerUser, idleTimeout, absoluteMaxAge, storage } = options.session ?? {}
  const problems: Problem[] = []
  const missing = maxPerUser === undefined ? [] : missingToLimit(draft)
  if (missing.length > 0) {
    const message = `expected an adapter that counts and ends the sessions of a user, but these methods are missing: ${missing.join(', ')}`
    const hint = 'use an adapter of @postern/adapters, with revocations, or omit it'
    problems.push({ option: 'session.maxPerUser', code: 'METHODS_MISSING', message: `${message}; ${hint}` })
  }
  const { encode, decode } = options.jwt ?? {}
  if (absoluteMaxAge !== undefined && !isDatabaseSession && (encode || decode)) {
    const message =
      'expected the built-in tokens, which state when the session began; omit jwt.encode and jwt.decode, or absoluteMaxAge'
    problems.push({ option: 'session.absoluteMaxAge', code: 'INVALID_VALUE', message })
  }
  if (idleTimeout === undefined) return problems
  const refuse = (message: string): void => {
    problems.push({ option: 'session.idleTimeout', code: 'INVALID_VALUE', message })
  }
  if (isDatabaseSession && storage === 'plain')
    refuse("expected session.storage 'hashed' or 'both': next-auth v4 renews the rows of 'plain' for its own maxAge")
  if (!isDatabaseSession && decode)
    refuse('expected the built-in tokens, which state when they were issued; omit jwt.decode, or idleTimeout')
  return problems
}

/** The maximum time between two writes of a session in use, in seconds. */
const maxIdleUpdateAge = 60

/** Resolves the lifetime of sessions. @param tokenMaxAge - As for JWT sessions. */
export function resolveSessionLifetime(session: SessionOptions, tokenMaxAge: number, constants: Constants): Lifetime {
  const { idleTimeout = null, absoluteMaxAge = null } = session
  const maxAge = session.maxAge ?? constants.sessionMaxAge
  // A session with a short lifetime is renewed after half of it, so that active users stay signed in.
  const updateAge = session.updateAge ?? Math.min(constants.sessionUpdateAge, Math.floor(tokenMaxAge / 2))
  if (idleTimeout === null) return { maxAge, updateAge, absoluteMaxAge, isIdleLimited: false }
  return {
    maxAge: Math.min(maxAge, idleTimeout),
    updateAge: Math.min(updateAge, maxIdleUpdateAge, Math.floor(idleTimeout / 10)),
    absoluteMaxAge,
    isIdleLimited: true
  }
}
