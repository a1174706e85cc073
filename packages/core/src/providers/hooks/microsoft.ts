import type { Profile } from '../../model/identity.ts'
import type { ProfileContext, ProfileUser, ProviderHooks } from '../../model/provider.ts'
import { issuerCheck } from './issuer-check.ts'

/** The fields of the Microsoft user profile that Postern reads. */
export interface MicrosoftProfile {
  readonly sub: string
  readonly name: string
  readonly email?: string
  /** An optional claim: whether the tenant has verified that it owns the domain of the email address. */
  readonly xms_edov?: boolean | string | number
  /** The picture as a `data:` URL, if there is one. */
  readonly photo: string | null
}

/** The picture sizes of Microsoft Graph. */
export type PhotoSize = 48 | 64 | 96 | 120 | 240 | 360 | 432 | 504 | 648

function dataUrl(bytes: Uint8Array): string {
  return `data:image/jpeg;base64,${btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''))}`
}

/** The clouds of Microsoft by the pattern of their issuers, and the hosts of Microsoft Graph in each. */
const clouds: readonly (readonly [issuer: RegExp, graphHosts: readonly string[]])[] = [
  [/^https:\/\/login\.microsoftonline\.com\//, ['graph.microsoft.com']],
  [/^https:\/\/login\.microsoftonline\.us\//, ['graph.microsoft.us', 'dod-graph.microsoft.us']],
  [/^https:\/\/login\.partner\.microsoftonline\.cn\//, ['microsoftgraph.chinacloudapi.cn']],
  [/^https:\/\/[0-9a-f-]{36}\.ciamlogin\.com\//, ['graph.microsoft.com']]
]

/**
 * Finds the host of Microsoft Graph in the cloud of the issuer, which the metadata names.
 *
 * @returns `null` if it names the host of another cloud, which must not receive the token.
 */
function getGraphHost({ issuer, msgraph_host, userinfo_endpoint }: ProfileContext['metadata']): string | null {
  const [, hosts = []] = clouds.find(([pattern]) => pattern.test(String(issuer))) ?? []
  const { host } = typeof userinfo_endpoint === 'string' ? new URL(userinfo_endpoint) : { host: undefined }
  const named = msgraph_host ?? (hosts.some((known) => known === host) ? host : hosts[0])
  return hosts.find((known) => known === named) ?? null
}

async function withPhoto(profile: Profile, { get, metadata }: ProfileContext, size: PhotoSize): Promise<Profile> {
  const host = getGraphHost(metadata)
  if (host === null) return { ...profile, photo: null }
  const photo = await get(`https://${host}/v1.0/me/photos/${size}x${size}/$value`, { accept: 'image/jpeg' })
    .then(async (response) => dataUrl(new Uint8Array(await response.arrayBuffer())))
    .catch(() => null)
  return { ...profile, photo }
}

/**
 * The metadata of a tenant names the tenant's id, however it was requested; the multi-tenant metadata has a
 * placeholder.
 */
const issuers =
  /^https:\/\/(?:login\.(?:microsoftonline\.(?:com|us)|partner\.microsoftonline\.cn)\/(?:\{tenantid\}|[0-9a-f-]{36})|([0-9a-f-]{36})\.ciamlogin\.com\/\1)\/v2\.0$/

/** The user declined on the page of the permissions. Without the code, `consent_required` is a matter of the tenant. */
const hasDeclined = (response: URLSearchParams): boolean =>
  response.get('error') === 'consent_required' && (response.get('error_description') ?? '').includes('AADSTS65004')

/** Whether the tenant has verified that it owns the domain of the address: its administrator can set any address. */
const isDomainOwned = ({ xms_edov }: Profile): boolean =>
  xms_edov === true || xms_edov === 1 || xms_edov === '1' || xms_edov === 'true'

/** The hooks of a Microsoft provider: the issuer check, a user who cancels, and the picture from Microsoft Graph. */
export function microsoftHooks(size: PhotoSize): ProviderHooks {
  return {
    discoveryResponse: issuerCheck(issuers, 'Microsoft'),
    isCanceled: hasDeclined,
    isEmailAuthority: isDomainOwned,
    afterProfile: (profile, context) => withPhoto(profile, context, size)
  }
}

/**
 * An email address counts as unverified unless the tenant owns its domain: the administrator of any tenant can set it.
 */
export function microsoftUser({ sub, name, email, xms_edov, photo }: MicrosoftProfile): ProfileUser {
  // Without the claim the verification status is unknown, and no other claim replaces it.
  const emailVerified = xms_edov === undefined ? null : isDomainOwned({ xms_edov })
  return { id: sub, name, email: email ?? null, image: photo, emailVerified }
}
