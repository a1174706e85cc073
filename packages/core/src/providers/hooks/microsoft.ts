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

async function withPhoto(profile: Profile, { get }: ProfileContext, size: PhotoSize): Promise<Profile> {
  const photo = await get(`https://graph.microsoft.com/v1.0/me/photos/${size}x${size}/$value`, { accept: 'image/jpeg' })
    .then(async (response) => dataUrl(new Uint8Array(await response.arrayBuffer())))
    .catch(() => null)
  return { ...profile, photo }
}

/**
 * The metadata of a tenant names the tenant's id, however it was requested; the multi-tenant metadata has a
 * placeholder.
 */
const issuers = /^https:\/\/login\.microsoftonline\.com\/(\{tenantid\}|[0-9a-f-]{36})\/v2\.0$/

/** The hooks of a Microsoft provider: the issuer check, and the picture from Microsoft Graph. */
export function microsoftHooks(size: PhotoSize): ProviderHooks {
  return {
    discoveryResponse: issuerCheck(issuers, 'Microsoft'),
    afterProfile: (profile, context) => withPhoto(profile, context, size)
  }
}

/**
 * An email address counts as unverified unless the tenant owns its domain: the administrator of any tenant can set it.
 */
export function microsoftUser({ sub, name, email, xms_edov, photo }: MicrosoftProfile): ProfileUser {
  const isOwned = xms_edov === true || xms_edov === 1 || xms_edov === '1' || xms_edov === 'true'
  // Without the claim the verification status is unknown, and no other claim replaces it.
  const emailVerified = xms_edov === undefined ? null : isOwned
  return { id: sub, name, email: email ?? null, image: photo, emailVerified }
}
