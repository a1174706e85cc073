import type { OAuthConfig } from '../../src/model/provider-config.ts'
import { mapped } from './mapping.ts'
import { type Recorded, type RecordedProvider, recordings } from './recorded.ts'

type Fields = Readonly<Record<string, unknown>>
type Texts = Readonly<Record<string, string | null>>

/** A request that is expected, to the letter. */
export interface ExpectedRequest {
  readonly method?: 'GET' | 'POST'
  readonly url?: string
  /** Beside those that every such request has; `null` for one of those that must not be there. */
  readonly headers?: Texts
  readonly query?: Texts
  /** The fields of a form, beside those of the standard; `null` for one of those that must not be there. */
  readonly form?: Texts
  readonly json?: unknown
}

/** What is done otherwise than recorded. */
export interface Mended {
  readonly why: string
  readonly name?: string
  readonly flow?: Recorded['flow']
  readonly authorization?: { readonly endpoint?: string | null; readonly params?: Texts }
  readonly wellKnown?: string
  readonly token?: ExpectedRequest
  readonly userinfo?: ExpectedRequest
  readonly clientAuth?: Recorded['clientAuth']
  readonly profileFrom?: Recorded['profileFrom']
  readonly profile?: Readonly<Record<string, string>>
  readonly style?: Texts
}

/** One provider: how it is made, and what its server says, as the provider's documentation shows it. */
export interface Case {
  readonly make: () => OAuthConfig
  /** Whose request and mapping count; next-auth v4's, where it has the provider. */
  readonly follows?: 'authJs'
  readonly mended?: Mended
  /** The issuer that the application names in the environment. */
  readonly issuer?: string
  /** The issuer as the metadata document names it, and the ID Token. @defaultValue where the document is */
  readonly documentIssuer?: string
  readonly tokenIssuer?: string
  /** The issuer that an OAuth 2 server would name in its answer (RFC 9207), where it is known. */
  readonly iss?: string
  readonly noNonce?: true
  readonly signedUserinfo?: true
  readonly formPost?: Texts
  /** What stands for the options in braces. */
  readonly values?: Readonly<Record<string, string>>
  /** The answer of userinfo; of a provider with ID Token, its claims. */
  readonly profile: Fields
  /** The profile as the mapping sees it, where it is not the answer itself. */
  readonly inner?: Fields
  /** The answer of the token endpoint beside the tokens; `null` takes a field of the standard away. */
  readonly tokens?: Fields
  readonly tokenStatus?: number
  /** What the server calls its JSON. */
  readonly contentType?: string
  readonly scope?: string
  /** Seconds, `null` where nothing is said of an end. */
  readonly expiresIn?: number | null
  /** The user, where the recording has no word for it. */
  readonly user?: Fields
  readonly verified?: boolean
  /** Fields that make no difference to this provider's requests. */
  readonly indifferent?: readonly string[]
  readonly further?: Readonly<Record<string, { readonly type?: string; readonly body: unknown }>>
  /** How the server refuses a code, and what of it the log must tell. */
  readonly refusal?: {
    readonly headers?: Readonly<Record<string, string>>
    readonly body: Fields
    readonly says: string
  }
}

export const clientId = 'client id/1'
export const clientSecret = 'secret:with+signs%'

/** Everything that the server holds a sign-in against. */
export interface Facts extends Case {
  readonly id: string
  readonly name: string
  readonly type: 'oauth' | 'oidc'
  readonly isOidc: boolean
  readonly pkce: boolean
  readonly clientAuth: Recorded['clientAuth']
  readonly authorization: { readonly endpoint: string; readonly params: Texts }
  readonly wellKnown: string | null
  readonly endpoints: { readonly token: string; readonly userinfo: string; readonly jwks: string }
  readonly asksUserinfo: boolean
  readonly userinfoQuery: Texts
  readonly tokenForm: Texts
  readonly idTokenAlg: 'RS256' | 'HS256'
  readonly style: Texts | null
  readonly person: Fields
}

function recordedOf({ nextAuth, authJs }: RecordedProvider, follows: Case['follows']): Recorded {
  const recorded = follows === 'authJs' ? authJs : (nextAuth ?? authJs)
  if (!recorded) throw new Error('nothing was recorded')
  return recorded
}

function styleOf({ nextAuth, authJs }: RecordedProvider): Texts | null {
  const style = nextAuth?.style ?? authJs?.style
  if (!style) return null
  return style['brandColor'] ? { bg: style['brandColor'] } : style
}

/** Some were recorded with the parameters in the address. */
function queryOf(url: string | null): Texts {
  return url && URL.canParse(url) ? Object.fromEntries(new URL(url).searchParams) : {}
}

const suffix = /\/\.well-known\/.*$/

/** What was recorded, with the options filled in and with what is mended. */
export function factsOf(id: string, theCase: Case): Facts {
  const provider = recordings.providers.find((recorded) => recorded.id === id)
  if (!provider) throw new Error(`${id} was not recorded`)
  const recorded = recordedOf(provider, theCase.follows)
  const { mended } = theCase
  const values: Readonly<Record<string, string>> = {
    issuer: theCase.issuer ?? '',
    clientId,
    clientSecret,
    ...theCase.values
  }
  const fill = (text: string): string =>
    text.replaceAll(/\{(\w+)\}/g, (hole, name: string) => values[name]?.replace(/\/$/, '') ?? hole)
  const address = (text: string): string =>
    text.replaceAll('{clientId}', encodeURIComponent(clientId)).replaceAll(/\{(\w+)\}/g, (hole) => fill(hole))
  const fillAll = (texts: Texts): Texts =>
    Object.fromEntries(Object.entries(texts).map(([name, value]) => [name, value === null ? null : fill(value)]))
  const isOidc = (mended?.flow ?? recorded.flow) === 'oidc'
  const wellKnown = isOidc ? address(mended?.wellKnown ?? recorded.wellKnown ?? '') : null
  const base = wellKnown?.replace(suffix, '') ?? ''
  const endpoint =
    mended?.authorization?.endpoint === undefined ? recorded.authorization.endpoint : mended.authorization.endpoint
  const asksUserinfo = (mended?.profileFrom ?? recorded.profileFrom) === 'userinfo'
  const source = { ...theCase.profile, ...theCase.inner }
  const words = { ...recorded.profile, ...mended?.profile }
  const prose = theCase.user ?? {}
  const person = Object.entries(words).map(([field, text]): [string, unknown] => [
    field,
    field in prose ? prose[field] : mapped(text.replaceAll('{issuer}', fill('{issuer}')), source)
  ])
  return {
    ...theCase,
    id,
    name: mended?.name ?? recorded.name,
    type: (provider.nextAuth && !mended?.flow) || !isOidc ? 'oauth' : 'oidc',
    isOidc,
    pkce: provider.pkce,
    clientAuth: mended?.clientAuth ?? recorded.clientAuth,
    authorization: {
      endpoint: endpoint === null ? `${base}/authorize` : address(endpoint),
      params: fillAll({ ...recorded.authorization.params, ...mended?.authorization?.params })
    },
    wellKnown,
    endpoints: {
      token: address(mended?.token?.url ?? recorded.token.url ?? `${base}/token`),
      userinfo: address(
        mended?.userinfo?.url ?? (isOidc ? null : recorded.userinfo.url?.split('?')[0]) ?? `${base}/userinfo`
      ),
      jwks: `${base}/jwks`
    },
    asksUserinfo,
    userinfoQuery: fillAll({
      ...queryOf(recorded.userinfo.url),
      ...recorded.userinfo.params,
      ...mended?.userinfo?.query
    }),
    tokenForm: fillAll({ ...recorded.token.params, ...mended?.token?.form }),
    idTokenAlg: recorded.idTokenAlg ?? 'RS256',
    style: mended?.style === undefined ? styleOf(provider) : mended.style,
    person: Object.fromEntries(person)
  }
}
