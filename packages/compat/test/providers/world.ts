import { generateKeyPairSync } from 'node:crypto'
import { SignJWT } from 'jose'
import type { Recorded } from './load.ts'

/** A profile with every field that a provider of these libraries reads. */
const visitors = {
  ...{ sub: '7', id: '7', ID: 7, guid: '7', account_id: '7', user_id: '7', CharacterID: 7, unionid: '7', openid: '7' },
  ...{
    username: 'ada',
    login: 'ada@example.com',
    user: 'ada@example.com',
    name: 'Ada',
    nickname: 'Ada',
    email: 'ada@example.com'
  },
  ...{
    display_name: 'Ada',
    displayName: 'Ada',
    usual_full_name: 'Ada',
    full_name: 'Ada',
    accountname: 'Ada',
    battle_tag: 'Ada'
  },
  ...{
    CharacterName: 'Ada',
    given_name: 'Ada',
    family_name: 'L',
    first_name: 'Ada',
    last_name: 'L',
    firstName: 'Ada',
    lastName: 'L'
  },
  ...{
    preferred_username: 'ada',
    personaname: 'Ada',
    handle: 'ada',
    emailAddress: 'ada@example.com',
    mail: 'ada@example.com'
  },
  ...{
    picture: 'https://x.test/a.png',
    avatar_url: 'https://x.test/a.png',
    image_url: 'https://x.test/a.png',
    image: 'https://x.test/a.png'
  },
  ...{
    avatar: null,
    discriminator: '0',
    profile: 'https://x.test/a.png',
    images: [{ url: 'https://x.test/a.png' }],
    emails: ['ada@example.com']
  },
  data: {
    ...{
      id: '7',
      name: 'Ada',
      username: 'ada',
      email: 'ada@example.com',
      imageUrl: 'https://x.test/a.png',
      avatar_url: 'https://x.test/a.png'
    },
    attributes: { full_name: 'Ada', email: 'ada@example.com', image_url: 'https://x.test/a.png' },
    user: { open_id: '7', display_name: 'Ada', avatar_url: 'https://x.test/a.png' }
  },
  response: {
    ...{
      id: '7',
      nickname: 'Ada',
      email: 'ada@example.com',
      first_name: 'Ada',
      last_name: 'L',
      profile_image: 'https://x.test/a.png'
    },
    user: { id: '7', firstName: 'Ada', lastName: 'L', contact: { email: 'ada@example.com' } },
    0: { id: 7, first_name: 'Ada', last_name: 'L', photo_100: 'https://x.test/a.png' }
  },
  kakao_account: { email: 'ada@example.com', profile: { nickname: 'Ada', profile_image_url: 'https://x.test/a.png' } },
  links: { avatar: { href: 'https://x.test/a.png' } },
  ocs: { data: { id: '7', displayname: 'Ada', email: 'ada@example.com' } },
  bot: { owner: { user: { id: '7', name: 'Ada', avatar_url: null, person: { email: 'ada@example.com' } } } },
  coreAttributes: { Avatar: { value: { value: 'AAAA' } } },
  raw_attributes: { picture: 'https://x.test/a.png' }
}

/** Where one field cannot be what all others want it to be. */
const special: Readonly<Record<string, object>> = {
  apple: { user: undefined },
  bungie: { Response: { bungieNetUser: { membershipId: '7', displayName: 'Ada', profilePicturePath: '/a.png' } } },
  'click-up': { user: { id: 7, username: 'ada' } },
  dropbox: { name: { display_name: 'Ada' } },
  eventbrite: { emails: [{ email: 'ada@example.com', primary: true, verified: true }] },
  facebook: { picture: { data: { url: 'https://x.test/a.png' } } },
  mailchimp: { login: { login_id: '7', email: 'ada@example.com' } },
  pinterest: { username: '7' },
  todoist: { user: { id: '7', full_name: 'Ada', email: 'ada@example.com', avatar_big: 'https://x.test/a.png' } },
  zoho: { ZUID: 7, First_Name: 'Ada', Last_Name: 'L', Email: 'ada@example.com' },
  trakt: { ids: { slug: '7' }, images: { avatar: { full: 'https://x.test/a.png' } } }
}

const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })

/** A server for all endpoints: discovery, tokens and profiles of one provider. */
export interface World {
  readonly fetch: (input: string | URL, init?: RequestInit) => Promise<Response>
  /** The visitor agrees; the address that they come back to. */
  readonly agree: (authorizationUrl: string, callback: string) => string
  /** What was requested, but for discovery and keys. */
  readonly calls: readonly string[]
}

/** Additional claims in the ID Tokens of some providers. */
interface Token {
  readonly issuer?: string
  readonly claims?: object
  /** Signs in place of the server's key. */
  readonly secret?: string
}

const ofTenant = { issuer: 'https://login.microsoftonline.com/tenant-7/v2.0', claims: { tid: 'tenant-7' } }

const tokens: Readonly<Record<string, Token>> = {
  '@auth/core/providers/azure-ad': ofTenant,
  '@auth/core/providers/microsoft-entra-id': ofTenant,
  '@auth/core/providers/line': { secret: 'client-secret' },
  'next-auth/providers/line': { secret: 'client-secret' }
}

export function createWorld({ id, module }: Recorded): World {
  const { issuer, claims, secret } = tokens[module] ?? {}
  const calls: string[] = []
  let nonce: string | null = null
  const who = { ...visitors, ...special[id] }
  let discovered = 'https://issuer.test'
  const idToken = async (): Promise<string> => {
    const token = new SignJWT({ ...who, ...claims, ...(nonce ? { nonce } : {}) })
      .setIssuer(issuer ?? discovered)
      .setAudience('client-id')
      .setIssuedAt()
      .setExpirationTime('5m')
    return secret
      ? token.setProtectedHeader({ alg: 'HS256' }).sign(new TextEncoder().encode(secret))
      : token.setProtectedHeader({ alg: 'RS256', kid: 'one' }).sign(privateKey)
  }
  const isToken = (body: BodyInit | null | undefined): boolean => /code=|assertion=/.test(String(body ?? ''))
  return {
    calls,
    agree: (authorizationUrl, callback) => {
      const { searchParams } = new URL(authorizationUrl)
      nonce = searchParams.get('nonce')
      return `${callback}?${new URLSearchParams({ code: 'code', state: searchParams.get('state') ?? '' })}`
    },
    fetch: async (input, init = {}) => {
      const url = String(input)
      if (url.includes('/.well-known/')) {
        discovered = discoveredAt(url)
        return Response.json(metadata(discovered))
      }
      if (/\/(keys|jwks)$/.test(url))
        return Response.json({ keys: [{ ...publicKey.export({ format: 'jwk' }), kid: 'one', alg: 'RS256' }] })
      calls.push(`${init.method ?? 'GET'} ${url}`)
      if (init.method === 'POST' && isToken(init.body))
        return Response.json({
          access_token: 'token',
          token_type: 'Bearer',
          expires_in: 3600,
          user_id: '7',
          openid: '7',
          id_token: await idToken()
        })
      if (id === 'bankid-no' && url === 'https://discovered.test/userinfo') return signedProfile(discovered)
      if (url.includes('/photos/')) return new Response('', { status: 404 })
      if (url.endsWith('/emails')) return Response.json([{ email: 'ada@example.com', primary: true, verified: true }])
      return Response.json(who)
    }
  }
}

/** One answers with a signed profile. */
async function signedProfile(issuer: string): Promise<Response> {
  const token = new SignJWT({ ...visitors })
    .setIssuer(issuer)
    .setAudience('client-id')
    .setIssuedAt()
    .setExpirationTime('5m')
  const text = await token.setProtectedHeader({ alg: 'RS256', kid: 'one' }).sign(privateKey)
  return new Response(text, { headers: { 'content-type': 'application/jwt' } })
}

/** Some write their issuer with a slash at the end, and one leaves the tenant open. */
function discoveredAt(url: string): string {
  const issuer = url.replace(/\/\.well-known\/openid-configuration(\?.*)?$/, '')
  if (/^https:\/\/(api\.vipps\.no|apis\.roblox\.com)/.test(issuer)) return `${issuer}/`
  return issuer.replace('/common/', '/{tenantid}/')
}

function metadata(issuer: string): object {
  return {
    issuer,
    authorization_endpoint: 'https://discovered.test/authorize',
    token_endpoint: 'https://discovered.test/token',
    userinfo_endpoint: 'https://discovered.test/userinfo',
    jwks_uri: 'https://discovered.test/keys'
  }
}
