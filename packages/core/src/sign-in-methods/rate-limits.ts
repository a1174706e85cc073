import type { Config } from '../config/config.ts'
import { AuthError } from '../errors/auth-error.ts'
import { isRefusal } from '../errors/refusal.ts'
import { serializeError } from '../errors/serialize-error.ts'
import { describeKind, UserCodeError } from '../errors/user-code.ts'
import { type Fields, getText } from '../http/body.ts'
import type { AuthRequest } from '../http/request.ts'
import { chain, isPromise, type MaybePromise, whenAll } from '../model/awaitable.ts'
import type { Identity } from '../model/identity.ts'
import type { CredentialsProvider } from '../model/provider.ts'
import type { RateRule } from '../model/rate-limiter.ts'
import { clientCounters, type RateLimitCounter } from './client-key.ts'
import { consumeDelayed, credentialDelays, type Delays, mailDelays } from './growing-delay.ts'
import {
  consumeBudget,
  findDeviceByAddress,
  findDeviceByName,
  findNewestDevice,
  isAccountOf,
  type KnownDevice
} from './known-device.ts'
import { getRateLimitIdentifier, normalizeIdentifier } from './rate-limit-identifier.ts'

/** The first limit of a request that was exceeded. */
interface Exceeded {
  readonly index: number
  /** Seconds. */
  readonly retryAfter: number
}

const rateLimited = (retryAfter: number): AuthError =>
  new AuthError('RateLimited', `too many requests; again in ${retryAfter} s`, { retryAfter })

/**
 * Consumes one point of each limit in order, until one is exceeded.
 *
 * A request that exceeds a narrow limit does not count against a wider one, so that a single client cannot exhaust a
 * shared limit.
 */
function findExceeded(counted: readonly RateLimitCounter[], config: Config, from = 0): MaybePromise<Exceeded | null> {
  for (const [index, [key, rule]] of counted.entries()) {
    if (index < from || !config.limits) continue
    const toExceeded = (retryAfter: number): Exceeded | null => (retryAfter > 0 ? { index, retryAfter } : null)
    const wait = config.limits.limiter.consume(key, rule)
    if (isPromise(wait)) return wait.then((seconds) => toExceeded(seconds) ?? findExceeded(counted, config, index + 1))
    if (wait > 0) return toExceeded(wait)
  }
  return null
}

/** Consumes one point of each limit. @throws AuthError `RateLimited` */
async function consumePoints(counted: readonly RateLimitCounter[], config: Config): Promise<void> {
  const exceeded = await findExceeded(counted, config)
  if (exceeded) throw rateLimited(exceeded.retryAfter)
}

/** Refunds one point of each limit. */
function refundPoints(counted: readonly RateLimitCounter[], { limits }: Config): MaybePromise<void> {
  const refunded = limits ? counted.map(([key, rule]) => limits.limiter.refund(key, rule)) : []
  return chain(whenAll(refunded), () => undefined)
}

/** The counters of one client, whose rule is scaled by the number of clients behind its address. */
function scaledCounters(
  name: (client: string) => string,
  { points, seconds }: RateRule,
  request: AuthRequest
): readonly RateLimitCounter[] {
  return clientCounters(name, { points: points * request.clientsBehindIp, seconds }, request)
}

/**
 * Limits callbacks and codes by client. A device that a user has signed in with has a budget of its own, so that others
 * behind the same address cannot stop it.
 *
 * @throws AuthError `RateLimited`
 */
export function limitCallbacks(request: AuthRequest, config: Config): MaybePromise<void> {
  if (!config.limits) return
  const { callbackPerClient } = config.limits
  const counters = scaledCounters((client) => `callback ${client}`, callbackPerClient, request)
  const consumeDevice = async ({ retryAfter }: Exceeded): Promise<void> => {
    const device = await findNewestDevice(request.cookies, config)
    if (device && (await consumeBudget('callback', device, callbackPerClient, config))) return
    throw rateLimited(retryAfter)
  }
  return chain(findExceeded(counters, config), (exceeded) => (exceeded ? consumeDevice(exceeded) : undefined))
}

/** Limits requests of one client by a rule of a feature. @throws AuthError `RateLimited` */
export async function consumeClientLimit(
  name: string,
  rule: RateRule,
  request: AuthRequest,
  config: Config
): Promise<void> {
  const counters = scaledCounters((client) => `${name} by ${client}`, rule, request)
  await consumePoints(counters, config)
}

/**
 * Limits logout tokens by client, with the rule of callbacks: verifying one costs a signature, and anyone may send one.
 *
 * @returns A function that refunds the request, for a genuine token, so that a provider is not limited.
 * @throws AuthError `RateLimited`
 */
export async function limitLogoutTokens(request: AuthRequest, config: Config): Promise<() => MaybePromise<void>> {
  if (!config.limits) return noLimits.refund
  const { callbackPerClient } = config.limits
  const counters = scaledCounters((client) => `logout token by ${client}`, callbackPerClient, request)
  await consumePoints(counters, config)
  return () => refundPoints(counters, config)
}

/** An attempt that is counted before it is made. */
interface LimitedAttempt {
  /** The limits of a client. Nobody else is affected if they are exceeded. */
  readonly narrow: readonly RateLimitCounter[]
  /** The limits of all clients, for one identifier each. */
  readonly wide: readonly RateLimitCounter[]
  /** The delays between attempts beyond a wide limit. */
  readonly delays: Delays
  /** Consumes the budget of a device that the identifier's user has signed in with; `null` if there is none. */
  readonly consumeDevice: () => Promise<readonly RateLimitCounter[] | null>
}

/**
 * Consumes the limits of an attempt.
 *
 * Many clients can exceed the limits of an identifier, and so can one client those of everybody behind its address.
 * Neither may lock the owner out: a device that the owner has signed in with has a budget of its own, and of the others
 * one at a time may try, with delays that grow.
 *
 * @returns The counters to refund if the attempt must not count.
 * @throws AuthError `RateLimited`
 */
function consumeAttempt(attempt: LimitedAttempt, config: Config): MaybePromise<readonly RateLimitCounter[]> {
  const all = [...attempt.narrow, ...attempt.wide]
  const next = (exceeded: Exceeded | null): MaybePromise<readonly RateLimitCounter[]> =>
    exceeded ? consumeBeyond(exceeded, all, attempt, config) : all
  return chain(findExceeded(all, config), next)
}

/** Goes on with an attempt that has exceeded a limit. */
async function consumeBeyond(
  exceeded: Exceeded,
  all: readonly RateLimitCounter[],
  { narrow, delays, consumeDevice }: LimitedAttempt,
  config: Config
): Promise<readonly RateLimitCounter[]> {
  if (!config.limits) return all
  const budget = await consumeDevice()
  if (budget) return budget
  if (exceeded.index < narrow.length) throw rateLimited(exceeded.retryAfter)
  const { limiter } = config.limits
  const beyond: RateLimitCounter[] = []
  for (const [index, limit] of all.entries()) {
    if (index < exceeded.index) continue
    if (index === exceeded.index || (await limiter.consume(...limit)) > 0) beyond.push(limit)
  }
  const retryAfter = await consumeDelayed(beyond, delays, limiter)
  if (retryAfter === 0) return all
  // The attempt is not made, so it must not count for the client.
  await refundPoints(narrow, config)
  throw rateLimited(retryAfter)
}

/** Consumes the limits of an attempt, and refunds them if it must not count. */
interface AttemptLimits {
  /** @throws AuthError `RateLimited` */
  readonly consume: () => Promise<void>
  readonly refund: () => MaybePromise<void>
}

/** Limits mails by address, by client, and over all. The client's own limit is never refunded. */
export function mailLimits(address: string, request: AuthRequest, config: Config): AttemptLimits {
  const { limits, application } = config
  if (!limits) return noLimits
  const { mailPerIdentifier, mailPerClient, mailPerApplication } = limits
  const narrow = scaledCounters((client) => `mail by ${client}`, mailPerClient, request)
  const wide: readonly RateLimitCounter[] = [[`mail to ${address}`, mailPerIdentifier]]
  const consumeDevice = async (): Promise<readonly RateLimitCounter[] | null> => {
    const device = await findDeviceByAddress(address, request.cookies, config)
    return device && consumeBudget('mail', device, mailPerIdentifier, config)
  }
  let consumed: readonly RateLimitCounter[] = []
  const refund = (): MaybePromise<void> => refundPoints(consumed, config)
  return {
    consume: async () => {
      const counters = await consumeAttempt({ narrow, wide, delays: mailDelays, consumeDevice }, config)
      consumed = counters.filter((counter) => !narrow.includes(counter))
      if (!mailPerApplication) return
      const retryAfter = await limits.limiter.consume(`mail of ${application.id}`, mailPerApplication)
      if (retryAfter === 0) return
      await refund()
      const { points, seconds } = mailPerApplication
      config.logger.error('MAIL_LIMIT_REACHED', { message: `more than ${points} mails in ${seconds} s were requested` })
      throw rateLimited(retryAfter)
    },
    refund
  }
}

const noLimits: AttemptLimits = { consume: async () => undefined, refund: () => undefined }

/** The form whose attempts are counted. */
export type CountedForm = Pick<
  CredentialsProvider,
  'id' | 'fields' | 'identifierField' | 'otherIdentifierFields' | 'normalizeIdentifier'
>

/**
 * The identifier as the provider normalizes it. If its function fails, the default applies, so that the attempt still
 * counts.
 */
function countedIdentifier(value: string, { id, normalizeIdentifier: own }: CountedForm, config: Config): string {
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
    const level = isRefusal(error) ? 'warn' : 'error'
    config.logger[level]('NORMALIZE_IDENTIFIER_ERROR', { callee, ...serializeError(error) })
    return usual
  }
}

/**
 * The identifiers in a posted form, as `authorize` receives them: a value that is not a string is empty. An empty
 * username counts for the client alone: it must not be one limit for all users.
 */
function identifiersIn(body: Fields, provider: CountedForm, config: Config): readonly string[] {
  const read = (field: string): string => countedIdentifier(getText(body, field) ?? '', provider, config)
  const { identifierField, otherIdentifierFields, fields } = provider
  const others = otherIdentifierFields.map(read).filter((name) => name !== '')
  if (identifierField === null && fields.length === 0 && others.length > 0) return [...new Set(others)]
  return [...new Set([identifierField === null ? '' : read(identifierField), ...others])]
}

/** The limits of one posted form. */
export interface CredentialLimits {
  /** The usernames that are counted. */
  readonly names: readonly string[]
  /** Counts an attempt, and makes it. An outage does not count. @throws AuthError `RateLimited` */
  readonly attempt: <T>(ask: () => Promise<T>) => MaybePromise<T>
  /**
   * Refunds an attempt that was right. The budget of a device is for the user who has signed in with it; any other user gets the
   * answer of a wrong password.
   *
   * @throws AuthError `CredentialsSignin`
   */
  readonly accept: (identity: Identity) => MaybePromise<void>
}

/**
 * Counts wrong credentials before the check, so that parallel guesses count too. If they were right, only the points of
 * this attempt are refunded, so a correct password never clears the count of other accounts.
 *
 * All credentials providers share the limits: a second form for the same accounts must not double them.
 *
 * @param provider - `null` if its attempts are not limited.
 */
export function credentialLimits(provider: CountedForm | null, request: AuthRequest, config: Config): CredentialLimits {
  const { limits } = config
  if (!limits || !provider) return { names: [], attempt: (ask) => ask(), accept: () => undefined }
  const { credentialsPerIdentifierAndClient: perClient, credentialsPerClient, credentialsPerIdentifier } = limits
  const identifiers = identifiersIn(request.body, provider, config)
  const names = identifiers.filter((name) => name !== '')
  const narrow = [
    ...identifiers.flatMap((name) =>
      clientCounters((client) => `credentials ${name} by ${client}`, perClient, request)
    ),
    ...scaledCounters((client) => `credentials of all by ${client}`, credentialsPerClient, request)
  ]
  const wide = names.map((name): RateLimitCounter => [`credentials ${name}`, credentialsPerIdentifier])
  let device: KnownDevice | null = null
  let consumed: readonly RateLimitCounter[] = []
  const consumeDevice = async (): Promise<readonly RateLimitCounter[] | null> => {
    const known = await findDeviceByName(names, request.cookies, config)
    const budget = known && (await consumeBudget('credentials', known, perClient, config))
    if (budget) device = known
    return budget
  }
  const acceptOn = async (known: KnownDevice, identity: Identity): Promise<void> => {
    if (!(await isAccountOf(known, identity)))
      throw new AuthError('CredentialsSignin', `${provider.id}: the budget of a device was used for another user`)
    await refundPoints(consumed, config)
  }
  return {
    names,
    attempt: (ask) =>
      chain(consumeAttempt({ narrow, wide, delays: credentialDelays, consumeDevice }, config), (counters) => {
        consumed = counters
        return ask().catch(async (error: unknown) => {
          if (error instanceof AuthError && error.code === 'StoreUnavailable') await refundPoints(consumed, config)
          throw error
        })
      }),
    accept: (identity) => (device ? acceptOn(device, identity) : refundPoints(consumed, config))
  }
}
