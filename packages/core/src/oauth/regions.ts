import type { OAuthProvider, Region } from '../model/provider.ts'
import type { Metadata } from './metadata.ts'
import { quoteText } from './server-error.ts'

type Regional = Pick<OAuthProvider, 'hooks'>

/**
 * Finds the region that the callback names, in the list of the provider: the browser brings the parameter, so that it could name
 * any server.
 *
 * @returns `null` for the provider's own endpoints.
 * @throws TypeError if the list does not have it.
 */
export function getCallbackRegion(parameters: URLSearchParams, { hooks: { regions } }: Regional): Region | null {
  const value = regions ? parameters.get(regions.parameter) : null
  if (!regions || value === null) return null
  const region = Object.hasOwn(regions.byValue, value) ? regions.byValue[value] : undefined
  if (region === undefined)
    throw new TypeError(`${regions.parameter}: expected one of the known regions, got ${quoteText(value)}`)
  return region
}

/** @returns The region of an account, which its id names; `null` for the provider's own endpoints. */
export function getAccountRegion(providerAccountId: string, { hooks: { regions } }: Regional): Region | null {
  const known = Object.values(regions?.byValue ?? {})
  return known.find((region) => region !== null && providerAccountId.startsWith(`${region.id}:`)) ?? null
}

/** @returns The id of an account of this region. */
export function toRegionalId(id: string, region: Region | null): string {
  return region === null ? id : `${region.id}:${id}`
}

/** @returns The metadata with the endpoints of the region. */
export function withRegion(metadata: Metadata, region: Region | null): Metadata {
  return region === null ? metadata : { ...metadata, token_endpoint: region.token, userinfo_endpoint: region.userinfo }
}
