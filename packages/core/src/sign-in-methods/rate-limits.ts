import type { Config } from '../config/config.ts'
import { AuthError } from '../errors/auth-error.ts'
import { serializeError } from '../errors/serialize-error.ts'
import { describeKind, UserCodeError } from '../errors/user-code.ts'
import { type Fields, getText } from '../http/body.ts'
import type { AuthRequest } from '../http/request.ts'
import type { CredentialsProvider } from '../model/provider.ts'
import type { RateRule } from '../model/rate-limiter.ts'
import { getRateLimitIdentifier, normalizeIdentifier } from './normalize-identifier.ts'

/** What the limits depend on. */
export type RateLimitDeps = Pick<Config, 'limits'>

/** What the limits of credentials depend on. */
export type CredentialLimitDeps = Pick<Config, 'limits' | 'logger'>

type RateLimitCounter = readonly [key: string, rule: RateRule]

/**
 * Consumes one point of each limit in order, until one is exceeded.
 *
 * A request that exceeds a narrow limit does not count against a wider one, so that a single client cannot exhaust a
 * shared limit.
 *
 * @throws AuthError `RateLimited`
 */
async function consumePoints(counted: readonly RateLimitCounter[], { limits }: RateLimitDeps): Promise<void> {
  for (const [key, rule] of counted) {
    const retryAfter = (await limits?.limiter.consume(key, rule)) ?? 0
    if (retryAfter > 0)
      throw new AuthError('RateLimited', `too many requests; again in ${retryAfter} s`, { retryAfter })
  }
}

/** @returns The eight groups of an IPv6 address in any notation, or `null` if it is not one. */
function parseIpGroups(address: string): readonly string[] | null {
  if (!address.includes(':')) return null
  const literal = `http://[${address.split('%', 1)[0]}]`
  if (!URL.canParse(literal)) return null
  const [head = '', tail = ''] = new URL(literal).hostname.slice(1, -1).split('::')
  const left = head.split(':').filter(Boolean)
  const right = tail.split(':').filter(Boolean)
  return [...left, ...Array.from({ length: 8 - left.length - right.length }, () => '0'), ...right]
}

/** An address with a port, as some load balancers write it in `X-Forwarded-For`. */
const withPort = /^(?:(\d{1,3}(?:\.\d{1,3}){3}):\d+|\[([^\]]+)\](?::\d+)?)$/

/** An IPv4-mapped IPv6 address, as a dual-stack socket reports it. */
const mapped = /^::ffff:(\d{1,3}(?:\.\d{1,3}){3})$/

/** The networks of a subscriber that are counted too, and how many times the points of an address they have. */
const networks = [
  { bits: 56, groups: 4, mask: 0xff00, factor: 4 },
  { bits: 48, groups: 3, mask: 0xffff, factor: 16 }
]

/** The counters of one client: of its address, and of the networks that a subscriber may have whole. */
function clientCounters(
  name: (client: string) => string,
  rule: RateRule,
  request: AuthRequest
): readonly RateLimitCounter[] {
  const { points, seconds } = scaleForSharedIp(rule, request)
  const key = clientKey(request.client)
  const own: RateLimitCounter = [name(key), { points, seconds }]
  if (!key.endsWith('::/64')) return [own]
  const groups = key.slice(0, -'::/64'.length).split(':')
  const wider = networks.map(({ bits, groups: count, mask, factor }): RateLimitCounter => {
    const kept = groups.slice(0, count)
    const last = (Number.parseInt(kept.at(-1) ?? '0', 16) & mask).toString(16)
    return [name(`${[...kept.slice(0, -1), last].join(':')}::/${bits}`), { points: points * factor, seconds }]
  })
  return [own, ...wider]
}

/** The part of an address that identifies a subscriber: IPv6 by /64, IPv4-mapped addresses as IPv4. */
export function clientKey(client: string | null): string {
  if (!client) return 'unknown'
  const [, ipv4, ipv6] = /[\]:]\d*$|\]$/.test(client) ? (withPort.exec(client) ?? []) : []
  const address = ipv4 ?? ipv6 ?? client
  const [, plain] = address.startsWith('::ffff:') ? (mapped.exec(address) ?? []) : []
  if (plain) return plain
  const groups = parseIpGroups(address)
  if (!groups) return address
  const isMapped = groups.slice(0, 6).join(':') === '0:0:0:0:0:ffff'
  if (!isMapped) return `${groups.slice(0, 4).join(':')}::/64`
  return groups
    .slice(6)
    .map((group) => Number.parseInt(group, 16))
    .flatMap((pair) => [pair >> 8, pair & 255])
    .join('.')
}

/** A rule for one client, scaled by the number of clients behind its address. */
const scaleForSharedIp = ({ points, seconds }: RateRule, { clientsBehindIp }: AuthRequest): RateRule => ({
  points: points * clientsBehindIp,
  seconds
})

/** Limits callbacks and codes by client. */
export async function limitCallbacks(request: AuthRequest, deps: RateLimitDeps): Promise<void> {
  if (!deps.limits) return
  await consumePoints(
    clientCounters((client) => `callback ${client}`, deps.limits.callbackPerClient, request),
    deps
  )
}

/** Limits requests of one client by a rule of a feature. @throws AuthError `RateLimited` */
export async function consumeClientLimit(
  name: string,
  rule: RateRule,
  request: AuthRequest,
  deps: RateLimitDeps
): Promise<void> {
  await consumePoints(
    clientCounters((client) => `${name} by ${client}`, rule, request),
    deps
  )
}

/** Limits mails by address and by client. */
export async function limitMails(identifier: string, request: AuthRequest, deps: RateLimitDeps): Promise<void> {
  if (!deps.limits) return
  const { mailPerIdentifier, mailPerClient } = deps.limits
  await consumePoints(
    [
      ...clientCounters((client) => `mail by ${client}`, mailPerClient, request),
      [`mail to ${identifier}`, mailPerIdentifier]
    ],
    deps
  )
}

/** Refunds the address's limit for a mail that could not be sent. The client's own limit stays consumed. */
export async function refundMail(identifier: string, { limits }: RateLimitDeps): Promise<void> {
  await limits?.limiter.refund(`mail to ${identifier}`, limits.mailPerIdentifier)
}

/**
 * The identifier as the provider normalizes it. If its function fails, the default applies, so that the attempt still
 * counts.
 */
function countedIdentifier(
  value: string,
  { id, normalizeIdentifier: own }: CredentialsProvider,
  deps: Pick<Config, 'logger'>
): string {
  const usual = normalizeIdentifier(value)
  if (!own || usual === '') return usual
  const callee = `providers.${id}.normalizeIdentifier`
  try {
    const result = own(value)
    const name = typeof result === 'string' ? getRateLimitIdentifier(result) : ''
    if (name !== '') return name
    if (result instanceof Promise) result.catch(() => undefined)
    throw new UserCodeError(`${callee} returned ${describeKind(result)}, not a string`)
  } catch (error) {
    deps.logger.warn('NORMALIZE_IDENTIFIER_ERROR', { callee, ...serializeError(error) })
    return usual
  }
}

/**
 * The identifiers in a posted form, as `authorize` receives them: a value that is not a string is empty. An empty
 * username counts for the client alone: it must not be one limit for all users.
 */
function identifiersIn(body: Fields, provider: CredentialsProvider, deps: Pick<Config, 'logger'>): readonly string[] {
  const read = (field: string): string => countedIdentifier(getText(body, field) ?? '', provider, deps)
  const { identifierField, otherIdentifierFields, fields } = provider
  const others = otherIdentifierFields.map(read).filter((name) => name !== '')
  if (identifierField === null && fields.length === 0 && others.length > 0) return [...new Set(others)]
  return [...new Set([identifierField === null ? '' : read(identifierField), ...others])]
}

/**
 * The limits of one posted form, narrow ones first. All credentials providers share them: a second form for the same
 * accounts must not double the limits.
 */
function createCounters(
  provider: CredentialsProvider,
  request: AuthRequest,
  deps: CredentialLimitDeps
): readonly RateLimitCounter[] {
  const { limits } = deps
  if (!limits) return []
  const client = clientKey(request.client)
  const identifiers = identifiersIn(request.body, provider, deps)
  const named = identifiers.filter((name) => name !== '')
  return [
    ...identifiers.map(
      (name): RateLimitCounter => [`credentials ${name} by ${client}`, limits.credentialsPerIdentifierAndClient]
    ),
    ...clientCounters((address) => `credentials of all by ${address}`, limits.credentialsPerClient, request),
    ...named.map((name): RateLimitCounter => [`credentials ${name}`, limits.credentialsPerIdentifier])
  ]
}

/**
 * Counts wrong credentials before the check, so that parallel guesses count too. If they were right, only the points of
 * this attempt are refunded, so a correct password never clears the count of other accounts.
 */
export function credentialLimits(
  provider: CredentialsProvider,
  request: AuthRequest,
  deps: CredentialLimitDeps
): { readonly consume: () => Promise<void>; readonly refund: () => Promise<void> } {
  const counters = createCounters(provider, request, deps)
  return {
    consume: () => consumePoints(counters, deps),
    refund: async () => {
      await Promise.all(counters.map(([key, rule]) => deps.limits?.limiter.refund(key, rule)))
    }
  }
}
