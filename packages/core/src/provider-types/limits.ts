import type { Config } from '../config/config.ts'
import { AuthError } from '../errors/auth-error.ts'
import { type Fields, textOf } from '../http/body.ts'
import type { AuthRequest } from '../http/request.ts'
import type { CredentialsProvider } from '../model/provider.ts'
import type { RateRule } from '../model/rate-limiter.ts'

type Counted = readonly [key: string, rule: RateRule]

/**
 * Counts one of each, in their order, up to the first that is one too many.
 *
 * Who is refused by a narrow rule does not count against a wider one: one client alone cannot use up what others have.
 *
 * @throws AuthError `RateLimited`
 */
async function take(counted: readonly Counted[], { limits }: Config): Promise<void> {
  for (const [key, rule] of counted) {
    const retryAfter = (await limits?.limiter.take(key, rule)) ?? 0
    if (retryAfter > 0)
      throw new AuthError('RateLimited', `too many requests; again in ${retryAfter} s`, { retryAfter })
  }
}

/** @returns The eight groups of an IPv6 address, however it is written, or `null` for anything else. */
function groupsOf(address: string): readonly string[] | null {
  if (!address.includes(':')) return null
  const literal = `http://[${address.split('%', 1)[0]}]`
  if (!URL.canParse(literal)) return null
  const [head = '', tail = ''] = new URL(literal).hostname.slice(1, -1).split('::')
  const left = head.split(':').filter(Boolean)
  const right = tail.split(':').filter(Boolean)
  return [...left, ...Array.from({ length: 8 - left.length - right.length }, () => '0'), ...right]
}

/** IPv4 as a socket of both kinds has it. */
const mapped = /^::ffff:(\d{1,3}(?:\.\d{1,3}){3})$/

/** The part of an address that one subscriber has: IPv6 by /64, IPv4 written as IPv6 as IPv4. */
export function clientKey(address: string | null): string {
  if (!address) return 'unknown'
  const [, plain] = address.startsWith('::ffff:') ? (mapped.exec(address) ?? []) : []
  if (plain) return plain
  const groups = groupsOf(address)
  if (!groups) return address
  const isMapped = groups.slice(0, 6).join(':') === '0:0:0:0:0:ffff'
  if (!isMapped) return `${groups.slice(0, 4).join(':')}::/64`
  return groups
    .slice(6)
    .map((group) => Number.parseInt(group, 16))
    .flatMap((pair) => [pair >> 8, pair & 255])
    .join('.')
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
      [`mail by ${clientKey(request.client)}`, crowded(mailPerClient, request)],
      [`mail to ${identifier}`, mailPerIdentifier]
    ],
    config
  )
}

const ascii = /^[\x00-\x7f]*$/

/** What a form calls whom, where the provider does not describe its fields. */
const usualNames = ['username', 'email', 'login', 'identifier', 'name']

/** One text for all the ways to write a name; normalization leaves ASCII as it is. */
function canonicalName(name: string): string {
  const text = ascii.test(name) ? name : name.normalize('NFKC')
  return text.trim().toLowerCase().slice(0, 254)
}

/**
 * Whom a form may be about, as it is counted; an empty text where it does not say: that must not be one limit for
 * everybody. Where the fields are not described, each that may hold a name counts: which one is read is not known.
 */
function namedIn(body: Fields, fields: CredentialsProvider['fields']): readonly string[] {
  const declared = fields.find(({ type }) => type !== 'password')?.name
  const names = declared === undefined ? usualNames : [declared]
  const said = new Set(names.map((name) => canonicalName(textOf(body, name) ?? '')))
  said.delete('')
  return said.size === 0 ? [''] : [...said]
}

/** Wrong credentials: counted before the check, so that parallel guesses count too, and given back where it was right. */
export function credentialLimits(
  { id, fields }: CredentialsProvider,
  { body, client }: AuthRequest,
  config: Config
): { readonly take: () => Promise<void>; readonly giveBack: () => Promise<void> } {
  const { limits } = config
  const all: Counted[] = []
  if (limits) {
    const identifiers = namedIn(body, fields)
    const by = clientKey(client)
    for (const name of identifiers) all.push([`${id} ${name} by ${by}`, limits.credentialsPerIdentifierAndClient])
    for (const name of identifiers) if (name !== '') all.push([`${id} ${name}`, limits.credentialsPerIdentifier])
  }
  return {
    take: () => take(all, config),
    giveBack: async () => {
      await Promise.all(all.map(([key, rule]) => limits?.limiter.giveBack(key, rule)))
    }
  }
}
