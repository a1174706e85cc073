/** The claims of OpenID Connect Core §5.1, as most OpenID Providers send them. */
export const claims = {
  sub: '248289761001',
  name: 'Jane Doe',
  given_name: 'Jane',
  family_name: 'Doe',
  nickname: 'jd',
  preferred_username: 'j.doe',
  email: 'JaneDoe@example.com',
  email_verified: true,
  picture: 'https://example.com/janedoe/me.jpg'
}

/** The claims of a Microsoft tenant; `email_verified` is one that its administrator made up. */
export const microsoftClaims = {
  sub: 'AAAAAAAAAAAAAAAAAAAAAIkzqFVrSaSaFHy782bbtaQ',
  name: 'Abe Lincoln',
  preferred_username: 'AbeLi@contoso.com',
  email: 'AbeLi@contoso.com',
  email_verified: true,
  oid: '00000000-0000-0000-66f3-3332eca7ea81',
  tid: '8eaef023-2b34-4da1-9baa-8bc8c9d6a490',
  ver: '2.0'
}

const picture = 'not really a picture'

export const photoUrl = `data:image/jpeg;base64,${btoa(picture)}`

/** What Microsoft Graph answers; `null` where there is no picture. */
type Answers = Readonly<Record<string, { readonly type: string; readonly body: string | null }>>

export const photo = (size: number, body: string | null = picture): Answers => ({
  [`https://graph.microsoft.com/v1.0/me/photos/${size}x${size}/$value`]: { type: 'image/jpeg', body }
})
