import type { Config } from '../config/config.ts'
import { AuthError } from '../errors/auth-error.ts'
import { textOf } from '../http/body.ts'
import type { AuthRequest } from '../http/request.ts'
import type { CredentialsProvider } from '../model/provider.ts'
import type { RateRule } from '../model/rate-limiter.ts'

type Counted = readonly [key: string, rule: RateRule]

/** Counts one of each. @throws AuthError `RateLimited` where one is too many */
async function take(counted: readonly Counted[], { limits }: Config): Promise<void> {
  const waits = await Promise.all(counted.map(async ([key, rule]) => limits?.limiter.take(key, rule) ?? 0))
  const retryAfter = Math.max(0, ...waits)
  if (retryAfter > 0) throw new AuthError('RateLimited', `too many requests; again in ${retryAfter} s`, { retryAfter })
}

/** The part of an address that one subscriber has: IPv6 by /64, IPv4 written as IPv6 as IPv4. */
export function clientKey(address: string | null): string {
  if (!address) return 'unknown'
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1]
  if (mapped || !address.includes(':')) return mapped ?? address
  const [head = '', tail = ''] = address.toLowerCase().split('%')[0]?.split('::') ?? []
  const left = head ? head.split(':') : []
  const right = tail ? tail.split(':') : []
  const filled = [...left, ...Array.from({ length: Math.max(0, 8 - left.length - right.length) }, () => '0'), ...right]
  return `${filled
    .slice(0, 4)
    .map((group) => group.replace(/^0+(?=.)/, ''))
    .join(':')}::/64`
}

/** A rule for one client, times those who may stand behind its address. */
const crowded = ({ points, seconds }: RateRule, { crowd }: AuthRequest): RateRule => ({
  points: points * crowd,
  seconds
})

/** Callbacks and codes, by client. */
export async function limitCallbacks(request: AuthRequest, config: Config): Promise<void> {
  if (!config.limits) return
  await take([[`callback ${clientKey(request.client)}`, crowded(config.limits.callbackPerClient, request)]], config)
}

/** Mails, by address and by client. */
export async function limitMails(identifier: string, request: AuthRequest, config: Config): Promise<void> {
  if (!config.limits) return
  const { mailPerIdentifier, mailPerClient } = config.limits
  await take(
    [
      [`mail to ${identifier}`, mailPerIdentifier],
      [`mail by ${clientKey(request.client)}`, crowded(mailPerClient, request)]
    ],
    config
  )
}

/** Wrong credentials: counted before the check, so that parallel guesses count too, and given back where it was right. */
export function credentialLimits(
  { id, fields }: CredentialsProvider,
  { body, client }: AuthRequest,
  config: Config
): { readonly take: () => Promise<void>; readonly giveBack: () => Promise<void> } {
  const { limits } = config
  const named = fields.find(({ type }) => type !== 'password')?.name
  const identifier = (named && textOf(body, named)?.trim().toLowerCase().slice(0, 254)) ?? ''
  const counted: readonly Counted[] = limits
    ? [
        [`${id} ${identifier} by ${clientKey(client)}`, limits.credentialsPerIdentifierAndClient],
        [`${id} ${identifier}`, limits.credentialsPerIdentifier]
      ]
    : []
  return {
    take: () => take(counted, config),
    giveBack: async () => {
      await Promise.all(counted.map(([key, rule]) => limits?.limiter.giveBack(key, rule)))
    }
  }
}
