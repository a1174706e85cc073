import type { Profile } from '../../model/identity.ts'
import type { ProfileUser } from '../../model/provider.ts'
import type { ProfileContext, ProviderHooks } from '../../model/provider-hooks.ts'
import { issuerCheck } from './issuer-check.ts'

/** What Microsoft says of a user, as far as it is used. */
export interface MicrosoftProfile {
  readonly sub: string
  readonly name: string
  readonly email?: string
  /** Whether the address is of a domain that the tenant has proven to own; an optional claim. */
  readonly xms_edov?: boolean | string | number
  /** The picture as a `data:` URL, as far as there is one. */
  readonly photo: string | null
}

/** The sizes that Microsoft Graph has pictures in. */
export type PhotoSize = 48 | 64 | 96 | 120 | 240 | 360 | 432 | 504 | 648

function dataUrl(bytes: Uint8Array): string {
  return `data:image/jpeg;base64,${btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''))}`
}

async function withPhoto(profile: Profile, { get }: ProfileContext, size: PhotoSize): Promise<Profile> {
  const photo = await get(`https://graph.microsoft.com/v1.0/me/photos/${size}x${size}/$value`, { accept: 'image/jpeg' })
    .then(async (answer) => dataUrl(new Uint8Array(await answer.arrayBuffer())))
    .catch(() => null)
  return { ...profile, photo }
}

/** The document of a tenant names the tenant's id, whatever name it was asked by, and that of all tenants a hole. */
const issuers = /^https:\/\/login\.microsoftonline\.com\/(\{tenantid\}|[0-9a-f-]{36})\/v2\.0$/

/** What is no data of a Microsoft tenant: how it names itself, and the picture, which is in Microsoft Graph. */
export function microsoftHooks(size: PhotoSize): ProviderHooks {
  return {
    discoveryResponse: issuerCheck(issuers, 'Microsoft'),
    afterProfile: (profile, context) => withPhoto(profile, context, size)
  }
}

/** An address counts as unproven unless the tenant owns its domain: the administrator of any tenant can write it. */
export function microsoftUser({ sub, name, email, xms_edov, photo }: MicrosoftProfile): ProfileUser {
  const emailVerified = xms_edov === true || xms_edov === 1 || xms_edov === '1' || xms_edov === 'true'
  return { id: sub, name, email: email ?? null, image: photo, emailVerified }
}
