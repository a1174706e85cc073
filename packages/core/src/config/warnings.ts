import type { Adapter } from '../adapter/adapter.ts'
import { getAccountSource } from '../adapter/exact-matches.ts'
import type { CookieOptions } from '../cookies/names.ts'
import type { Provider } from '../model/provider.ts'
import type { RateRule } from '../model/rate-limiter.ts'
import { isAnotherSite, ofAnotherSite } from './check-cookies.ts'
import { themeWarnings } from './check-theme.ts'
import type { Constants, Sites } from './config.ts'
import { disablesRevocations, missingToEndSessions, missingToReclaim } from './missing-methods.ts'
import type { NormalizedOptions } from './normalized-options.ts'
import type { PosternOptions } from './options.ts'

/** A warning, or `false` if there is no reason for it. */
type Warning = string | false

/** The maximum lifetime of a cookie in browsers, in seconds: 400 days (RFC 6265bis). */
const maxCookieSeconds = 34_560_000

const day = 86_400

/** Ten years in seconds: a longer session is probably a mistake. */
const tenYears = 315_360_000

const tooLong = (option: string, bound: string, given: number): string =>
  `${option}: expected at most ${bound}, got ${given}; divide by 1000 if these are milliseconds`

/** @returns Warnings about durations that next-auth allows, but that are probably a mistake, such as milliseconds. */
function sessionTimeWarnings({ session = {}, jwt = {} }: PosternOptions, constants: Constants): readonly Warning[] {
  const { maxAge = constants.sessionMaxAge, updateAge = 0, absoluteMaxAge = 0, idleTimeout = 0 } = session
  const { maxAge: tokenMaxAge = 0 } = jwt
  const asCookies = `${maxCookieSeconds} seconds (400 days, the maximum lifetime of a cookie in browsers)`
  const atMost = `expected at most the ${maxAge} seconds of session.maxAge, got`
  return [
    maxAge > maxCookieSeconds && tooLong('session.maxAge', asCookies, maxAge),
    tokenMaxAge > maxCookieSeconds && tooLong('jwt.maxAge', asCookies, tokenMaxAge),
    absoluteMaxAge > tenYears && tooLong('session.absoluteMaxAge', `${tenYears} seconds (ten years)`, absoluteMaxAge),
    idleTimeout > maxAge && `session.idleTimeout: ${atMost} ${idleTimeout}; sessions end before it`,
    updateAge > maxAge &&
      `session.updateAge: ${atMost} ${updateAge}; sessions would expire before they are renewed: lower updateAge, or omit it`
  ]
}

function rateWarnings({ rateLimit }: PosternOptions): readonly Warning[] {
  const { limiter: _, ...rules } = rateLimit || {}
  return Object.entries(rules).map(
    ([name, rule]: [string, RateRule | undefined]) =>
      rule !== undefined && rule.seconds > day && tooLong(`rateLimit.${name}.seconds`, `${day} (a day)`, rule.seconds)
  )
}

function codecWarnings({ jwt: { encode, decode } = {} }: PosternOptions): readonly Warning[] {
  if (Boolean(encode) === Boolean(decode)) return []
  const [given, other] = encode ? ['encode', 'decode'] : ['decode', 'encode']
  return [
    `jwt.${given}: expected jwt.${other} too; no user can sign in if the built-in functions cannot read your tokens, or the other way round: pass both, unless yours calls the one of @postern/core/jwt`
  ]
}

/** The cookies that must be sent with the provider's response, which is a cross-site request. */
const ofAttempts = ['state', 'pkceCodeVerifier', 'nonce']

/** Whether every request counts as https, except those of loopback hosts. */
function isHttps(sites: Sites): boolean {
  if (sites.kind === 'fixed') return sites.origin.startsWith('https:')
  return (sites.kind === 'listed' || sites.kind === 'any') && sites.requiresHttps === true
}

/** @returns Warnings about the options of a cookie that next-auth allows, but that are probably a mistake. */
function cookieWarnings(
  key: string,
  { maxAge = 0, sameSite, httpOnly, domain, secure }: CookieOptions,
  { found, siteAddress: { sites }, isProduction }: NormalizedOptions
): readonly Warning[] {
  const isCrossSite = found.providers.some(({ traits }) => traits.isCrossSite)
  const isStrict = sameSite === 'strict' || sameSite === true
  const isElsewhere = Boolean(domain && !isProduction && isAnotherSite(domain, sites))
  const option = `cookies.${key}.options`
  return [
    maxAge > maxCookieSeconds && tooLong(`${option}.maxAge`, `${maxCookieSeconds} seconds (400 days)`, maxAge),
    isStrict &&
      isCrossSite &&
      ofAttempts.includes(key) &&
      `${option}.sameSite: 'strict' excludes this cookie from the response of a provider on another site, so every sign-in with it fails; write 'lax'`,
    // Configurations that development shares often have one domain for all environments.
    isElsewhere && `${option}.domain: ${ofAnotherSite}`,
    !secure &&
      isHttps(sites) &&
      `${option}.secure: browsers also send this cookie over http, which can be intercepted; write secure: true`,
    key === 'sessionToken' &&
      !httpOnly &&
      `${option}.httpOnly: scripts of every page can read the session cookie; write httpOnly: true`
  ]
}

/** An option that disables the methods is the cause, whatever the adapter has. @returns What is missing, and how to get it. */
function getCause(
  missing: readonly string[],
  draft: NormalizedOptions
): { readonly reason: string; readonly fix: string } {
  return disablesRevocations(draft)
    ? { reason: 'session.revocations: with false', fix: 'remove session.revocations' }
    : { reason: `adapter: without ${missing.join(', ')}`, fix: 'use an adapter of @postern/adapters, add the methods' }
}

/** @returns Whether the adapter cannot check how the database compares account ids. */
function hasUncheckedAccounts({ adapter, found, isDatabaseSession }: NormalizedOptions): boolean {
  const hasAccounts = found.providers.some(
    ({ traits: { accountPolicy } }) =>
      accountPolicy === 'link' || (accountPolicy === 'application' && isDatabaseSession)
  )
  return adapter !== null && hasAccounts && getAccountSource(adapter) === null
}

/**
 * @returns Whether the adapter may be that of an application that is migrated: it has the methods of next-auth only. Their
 * rows contain tokens, and Postern looks for hashes of them, so that every user is signed out.
 */
function mayHaveForeignSessions({ adapter, options, isDatabaseSession }: NormalizedOptions): boolean {
  return isDatabaseSession && adapter !== null && !adapter.listSessions && options.session?.storage === undefined
}

/** @returns Whether each write of a change takes effect by itself, so that a killed process may leave some of them. */
const makesChangesInSteps = ({ getUserVersion, advanceUser, transact }: Adapter): boolean =>
  Boolean(getUserVersion && advanceUser && !transact)

/** @returns Warnings about sessions that are not found, changes that may stay incomplete, and about operations that Postern refuses because the adapter lacks methods or checks. */
function adapterWarnings(draft: NormalizedOptions): readonly Warning[] {
  const { adapter, found } = draft
  if (!adapter) return []
  const forSessions = missingToEndSessions(draft)
  const forReclaim = missingToReclaim(draft)
  const hasMail = found.providers.some(({ traits }) => traits.provesMailbox)
  const isRemovalRefused = forSessions.length > 0 && Boolean(adapter.deleteUser ?? adapter.unlinkAccount)
  const [reclaim, ending] = [getCause(forReclaim, draft), getCause(forSessions, draft)]
  return [
    mayHaveForeignSessions(draft) &&
      'session.storage: not set, so sessions that next-auth or Auth.js stored are not valid; ' +
        "set 'plain' while next-auth is running, 'both' for one session.maxAge afterwards, and 'hashed' if there are no such sessions",
    hasMail &&
      forReclaim.length > 0 &&
      `${reclaim.reason}, sign-in by email is refused for users whose address is unverified, ` +
        `because the accounts and sessions that another person may have added cannot be removed; ${reclaim.fix}`,
    isRemovalRefused &&
      `${ending.reason}, app.postern.unlink and deleteUser are refused, because sessions ` +
        `would remain valid; ${ending.fix}, or pass { sessions: 'keep' } to the call`,
    hasUncheckedAccounts(draft) &&
      'adapter: it has neither getAccount nor getAccounts, so Postern cannot check whether the database confuses account ' +
        'ids; give the columns provider and providerAccountId of its accounts a binary collation',
    makesChangesInSteps(adapter) &&
      'adapter: without transact, a process that is killed during a change leaves a part of it: a user without an account, whose ' +
        'address gets OAuthAccountNotLinked until the user is deleted, or an account that an ended session was linking; ' +
        'docs/adapters.md lists what may remain'
  ]
}

/** Whether the addresses that a provider reports are never proven: the provider is trusted for none. */
function onlyClaims(provider: Provider): boolean {
  if (provider.kind !== 'oauth') return false
  const { verifiesEmail, hooks } = provider
  return verifiesEmail !== true && verifiesEmail.length === 0 && hooks.isEmailAuthority === undefined
}

/** @returns A warning if users of a provider can never prove their address, so that they can add nothing to sign in with. */
function emailWarnings({ found: { features, mailer, providers } }: NormalizedOptions): readonly Warning[] {
  const feature = features.find(({ needsRecentSignIn = false }) => needsRecentSignIn)
  const ids = providers.filter(onlyClaims).map(({ id }) => id)
  if (!feature || ids.length === 0 || mailer || providers.some(({ traits }) => traits.provesMailbox)) return []
  return [
    `providers: nothing proves the email addresses of users of ${ids.join(', ')}, so they cannot add a passkey or a second factor ` +
      `(features.${feature.id}); pass mailer: email({ server, from }), or set verifiesEmail if the provider verifies addresses`
  ]
}

/** @returns Warnings about values that are allowed, but probably a mistake. */
export function findWarnings(draft: NormalizedOptions): readonly string[] {
  const { options, constants, siteAddress, secrets, dataSecrets, isDatabaseSession } = draft
  const all: readonly Warning[] = [
    ...siteAddress.warnings,
    ...secrets.warnings,
    ...dataSecrets.warnings,
    ...sessionTimeWarnings(options, constants),
    ...(isDatabaseSession ? [] : codecWarnings(options)),
    ...Object.entries(options.cookies ?? {}).flatMap(([key, given]) =>
      given?.options ? cookieWarnings(key, given.options, draft) : []
    ),
    ...rateWarnings(options),
    ...themeWarnings(options),
    ...draft.found.warnings,
    ...adapterWarnings(draft),
    ...emailWarnings(draft)
  ]
  return all.filter((warning) => warning !== false)
}
