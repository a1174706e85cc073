import type { BlockList } from 'node:net'
import { net } from './builtins.ts'

/** Addresses outside the public internet (IANA special-purpose registries, RFC 6890). */
const ranges: readonly (readonly [address: string, prefix: number])[] = [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 4],
  ['240.0.0.0', 4],
  ['::', 96],
  // IPv4-translated addresses (RFC 2765 §2.1).
  ['::ffff:0:0:0', 96],
  ['64:ff9b::', 96],
  ['64:ff9b:1::', 48],
  ['100::', 64],
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
  // Documentation (RFC 9637), and segment routing (RFC 9602).
  ['3fff::', 20],
  ['5f00::', 16],
  ['fc00::', 7],
  ['fe80::', 10],
  ['fec0::', 10],
  ['ff00::', 8]
]

let known: BlockList | null = null

/** Created when the first address is checked. */
function special(): BlockList {
  if (known) return known
  known = new net.BlockList()
  for (const [address, prefix] of ranges) known.addSubnet(address, prefix, address.includes(':') ? 'ipv6' : 'ipv4')
  return known
}

/** @returns Whether an IP address is reachable on the public internet. */
export function isPublicAddress(address: string): boolean {
  const [plain = ''] = address.split('%', 1)
  const family = net.isIP(plain)
  if (family === 0) return false
  // `BlockList` checks an IPv4-mapped address against the IPv4 ranges.
  return !special().check(plain, family === 6 ? 'ipv6' : 'ipv4')
}
