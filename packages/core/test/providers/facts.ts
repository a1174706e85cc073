import type { OAuthConfig } from '../../src/model/provider-config.ts'
import { mapped } from './mapping.ts'
import { type Recorded, type RecordedProvider, recordings } from './recorded.ts'

type Fields = Readonly<Record<string, unknown>>
type Texts = Readonly<Record<string, string | null>>

/** A request that is expected, to the letter. */
export interface ExpectedRequest {
  readonly method?: 'GET' | 'POST'
  readonly url?: string
  /** In addition to those of every such request; `null` for one that must be missing. */
  readonly headers?: Texts
  readonly query?: Texts
  /** The fields of a form, in addition to the standard ones; `null` for one that must be missing. */
  readonly form?: Texts
}

/** Intended differences from the recording. */
export interface Corrections {
  readonly why: string
  readonly name?: string
  readonly flow?: Recorded['flow']
  readonly authorization?: { readonly endpoint?: string | null; readonly params?: Texts }
  readonly wellKnown?: string
  readonly pkce?: true
  readonly token?: ExpectedRequest
  readonly userinfo?: ExpectedRequest
  readonly clientAuth?: Recorded['clientAuth']
  readonly profileFrom?: Recorded['profileFrom']
  readonly profile?: Readonly<Record<string, string>>
  readonly style?: Texts
}

/** One provider: its options, and its server's responses, as in the provider's documentation. */
export interface Case {
  readonly make: () => OAuthConfig
  /** Whose request and mapping count; next-auth v4's, where it has the provider. */
  readonly follows?: 'authJs'
  readonly corrected?: Corrections
  /** The issuer that the application names in the environment. */
  readonly issuer?: string
  /** The issuer as the metadata document names it, and the ID Token. @defaultValue where the document is */
  readonly documentIssuer?: string
  readonly tokenIssuer?: string
  /** The issuer that an OAuth 2 server would name in its response (RFC 9207), where it is known. */
  readonly iss?: string
  readonly noNonce?: true
  readonly signedUserinfo?: true
  readonly formPost?: Texts
  /** The values of the options in braces. */
  readonly values?: Readonly<Record<string, string>>
  /** The response of userinfo; of a provider with ID Token, its claims. */
  readonly profile: Fields
  /** The profile as the mapping sees it, where it is not the response itself. */
  readonly inner?: Fields
  /** The additional fields of the token response; `null` removes a standard field. */
  readonly tokens?: Fields
  readonly tokenStatus?: number
  /** What the server calls its JSON. */
  readonly contentType?: string
  readonly scope?: string
  /** Seconds, `null` without an expiry. */
  readonly expiresIn?: number | null
  /** The user, if the recording has none. */
  readonly user?: Fields
  /** Whether the address is proven: by a provider that is trusted for it. */
  readonly verified?: boolean
  /** Fields that make no difference to this provider's requests. */
  readonly indifferent?: readonly string[]
  readonly further?: Readonly<Record<string, { readonly type?: string; readonly body: unknown }>>
  /** How the server refuses a code, and what the log must contain of it. */
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

function getRecorded({ nextAuth, authJs }: RecordedProvider, follows: Case['follows']): Recorded {
  const recorded = follows === 'authJs' ? authJs : (nextAuth ?? authJs)
  if (!recorded) throw new Error('nothing was recorded')
  return recorded
}

function getStyle({ nextAuth, authJs }: RecordedProvider): Texts | null {
  const style = nextAuth?.style ?? authJs?.style
  if (!style) return null
  return style['brandColor'] ? { bg: style['brandColor'] } : style
}

/** Some were recorded with the parameters in the address. */
function getQuery(url: string | null): Texts {
  return url && URL.canParse(url) ? Object.fromEntries(new URL(url).searchParams) : {}
}

const suffix = /\/\.well-known\/.*$/

/** The recorded values, with the options filled in and the corrections applied. */
export function getFacts(id: string, testCase: Case): Facts {
  const provider = recordings.providers.find((recorded) => recorded.id === id)
  if (!provider) throw new Error(`${id} was not recorded`)
  const recorded = getRecorded(provider, testCase.follows)
  const { corrected } = testCase
  const values: Readonly<Record<string, string>> = {
    issuer: testCase.issuer ?? '',
    clientId,
    clientSecret,
    ...testCase.values
  }
  const fill = (text: string): string =>
    text.replaceAll(/\{(\w+)\}/g, (hole, name: string) => values[name]?.replace(/\/$/, '') ?? hole)
  const address = (text: string): string =>
    text.replaceAll('{clientId}', encodeURIComponent(clientId)).replaceAll(/\{(\w+)\}/g, (hole) => fill(hole))
  const fillAll = (texts: Texts): Texts =>
    Object.fromEntries(Object.entries(texts).map(([name, value]) => [name, value === null ? null : fill(value)]))
  const isOidc = (corrected?.flow ?? recorded.flow) === 'oidc'
  const wellKnown = isOidc ? address(corrected?.wellKnown ?? recorded.wellKnown ?? '') : null
  const base = wellKnown?.replace(suffix, '') ?? ''
  const endpoint =
    corrected?.authorization?.endpoint === undefined
      ? recorded.authorization.endpoint
      : corrected.authorization.endpoint
  const asksUserinfo = (corrected?.profileFrom ?? recorded.profileFrom) === 'userinfo'
  const source = { ...testCase.profile, ...testCase.inner }
  const words = { ...recorded.profile, ...corrected?.profile }
  const prose = testCase.user ?? {}
  const person = Object.entries(words).map(([field, text]): [string, unknown] => [
    field,
    field in prose ? prose[field] : mapped(text.replaceAll('{issuer}', fill('{issuer}')), source)
  ])
  return {
    ...testCase,
    id,
    name: corrected?.name ?? recorded.name,
    type: (provider.nextAuth && !corrected?.flow) || !isOidc ? 'oauth' : 'oidc',
    isOidc,
    pkce: corrected?.pkce ?? provider.pkce,
    clientAuth: corrected?.clientAuth ?? recorded.clientAuth,
    authorization: {
      endpoint: endpoint === null ? `${base}/authorize` : address(endpoint),
      params: fillAll({ ...recorded.authorization.params, ...corrected?.authorization?.params })
    },
    wellKnown,
    endpoints: {
      token: address(corrected?.token?.url ?? recorded.token.url ?? `${base}/token`),
      userinfo: address(
        corrected?.userinfo?.url ?? (isOidc ? null : recorded.userinfo.url?.split('?')[0]) ?? `${base}/userinfo`
      ),
      jwks: `${base}/jwks`
    },
    asksUserinfo,
    userinfoQuery: fillAll({
      ...getQuery(recorded.userinfo.url),
      ...recorded.userinfo.params,
      ...corrected?.userinfo?.query
    }),
    tokenForm: fillAll({ ...recorded.token.params, ...corrected?.token?.form }),
    idTokenAlg: recorded.idTokenAlg ?? 'RS256',
    style: corrected?.style === undefined ? getStyle(provider) : corrected.style,
    person: Object.fromEntries(person)
  }
}
