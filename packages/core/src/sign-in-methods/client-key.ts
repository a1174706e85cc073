import type { AuthRequest } from '../http/request.ts'
import type { RateRule } from '../model/rate-limiter.ts'

/** A counter of a limiter. */
export type RateLimitCounter = readonly [key: string, rule: RateRule]

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

/** An IPv4-mapped IPv6 address, as a dual-stack socket reports it. */
const mapped = /^::ffff:(\d{1,3}(?:\.\d{1,3}){3})$/

/**
 * Whether the last 32 bits are the IPv4 address of the client: IPv4-mapped addresses, and those that a NAT64 or SIIT
 * gateway translates (RFC 6052 §2.1, RFC 8215). They share one /64, so that all clients would have one counter.
 */
function embedsIpv4(groups: readonly string[]): boolean {
  const prefix = groups.slice(0, 6).join(':')
  return prefix === '0:0:0:0:0:ffff' || prefix === '64:ff9b:0:0:0:0' || groups.slice(0, 3).join(':') === '64:ff9b:1'
}

/** The networks of a subscriber that are counted too, and how many times the points of an address they have. */
const networks = [
  { bits: 56, groups: 4, mask: 0xff00, factor: 4 },
  { bits: 48, groups: 3, mask: 0xffff, factor: 16 }
]

/** The counters of one client: of its address, and of the networks that a subscriber may have whole. */
export function clientCounters(
  name: (client: string) => string,
  { points, seconds }: RateRule,
  { client }: Pick<AuthRequest, 'client'>
): readonly RateLimitCounter[] {
  const key = clientKey(client)
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

/** The part of an address that identifies a subscriber: IPv6 by /64, addresses that embed IPv4 as IPv4. */
export function clientKey(client: string | null): string {
  if (!client) return 'unknown'
  const [, plain] = client.startsWith('::ffff:') ? (mapped.exec(client) ?? []) : []
  if (plain) return plain
  const groups = parseIpGroups(client)
  if (!groups) return client
  if (!embedsIpv4(groups)) return `${groups.slice(0, 4).join(':')}::/64`
  return groups
    .slice(6)
    .map((group) => Number.parseInt(group, 16))
    .flatMap((pair) => [pair >> 8, pair & 255])
    .join('.')
}
