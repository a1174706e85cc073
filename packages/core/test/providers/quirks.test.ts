import { createClock } from '@postern/testkit'
import t from 'tap'
import { createPostern } from '../../src/index.ts'
import type { OAuthProvider } from '../../src/model/provider.ts'
import type { OAuthConfig } from '../../src/model/provider-config.ts'
import { endSessionUrl } from '../../src/oauth/end-session.ts'
import { toIdentity } from '../../src/oauth/profile.ts'
import { isGrantOver } from '../../src/oauth/refresh-request.ts'
import { rejectServerError } from '../../src/oauth/server-error.ts'
import { toTokenResponse } from '../../src/oauth/token-response.ts'
import apple from '../../src/providers/apple.ts'
import atlassian from '../../src/providers/atlassian.ts'
import auth0 from '../../src/providers/auth0.ts'
import azureAd from '../../src/providers/azure-ad.ts'
import cognito from '../../src/providers/cognito.ts'
import github from '../../src/providers/github.ts'
import hubspot from '../../src/providers/hubspot.ts'
import keycloak from '../../src/providers/keycloak.ts'
import linkedIn from '../../src/providers/linkedin.ts'
import microsoftEntraId from '../../src/providers/microsoft-entra-id.ts'
import oidc from '../../src/providers/oidc.ts'
import slack from '../../src/providers/slack.ts'
import twitch from '../../src/providers/twitch.ts'
import zoho from '../../src/providers/zoho.ts'
import { begin, comeBack, origin, parameter, start } from '../flows/start.ts'
import { quirks } from './quirks.ts'

const client = { clientId: 'client', clientSecret: 'a secret of the client' }
const issued = { ...client, issuer: 'https://issuer.test' }

const configs: Readonly<Record<string, OAuthConfig>> = {
  any: oidc({ id: 'any', name: 'Any', ...issued, hooks: { isEmailAuthority: () => true } }),
  apple: apple(client),
  atlassian: atlassian(client),
  auth0: auth0(issued),
  'azure-ad': azureAd(client),
  cognito: cognito(issued),
  github: github(client),
  hubspot: hubspot(client),
  keycloak: keycloak(issued),
  linkedin: linkedIn(client),
  'microsoft-entra-id': microsoftEntraId(client),
  slack: slack(client),
  twitch: twitch(client),
  zoho: zoho(client)
}

function getConfig(id: string): OAuthConfig {
  const config = configs[id]
  if (!config) throw new Error(`expected a module for ${id}`)
  return config
}

type Fetch = (url: string, init: RequestInit) => Promise<Response>

interface Resolved {
  readonly provider: OAuthProvider
  readonly oauth: Parameters<typeof endSessionUrl>[2]
}

function resolve(config: OAuthConfig, fetch: Fetch): Resolved {
  const options = { url: origin, secret: 'a secret of more than thirty-two characters', providers: [config] }
  const logger = { error: () => undefined, warn: () => undefined, debug: () => undefined }
  const auth = createPostern({ ...options, logger, runtime: { fetch, now: createClock().now } }, {})
  const site = auth.configFor(origin)
  const provider = site?.providers.get(config.id)
  if (!site || provider?.kind !== 'oauth') throw new Error('expected an OAuth provider')
  return { provider, oauth: site.oauth }
}

const noFetch: Fetch = async (url) => {
  throw new TypeError(`no request to ${url} expected`)
}

for (const { provider: id, quirk, source, status, body, isOver } of quirks.grantOver) {
  t.test(
    `a refresh that ${id} refuses, ${quirk}: ${isOver ? 'the grant is over' : 'not the end of the grant'}`,
    async (t) => {
      const { provider } = resolve(getConfig(id), noFetch)
      const sent = Response.json(body, { status })
      const response = (await provider.hooks.tokenResponse?.(sent, provider)) ?? sent
      const error: unknown = await toTokenResponse(response)
        .then((received) => rejectServerError(received, []))
        .catch((cause: unknown) => cause)
      t.type(error, Error, 'it is reported as an error of the server')
      t.equal(isGrantOver(error, provider), isOver, source)
    }
  )
}

for (const { provider: id, quirk, source, error, description, isCanceled } of quirks.canceled) {
  t.test(`${id} returns ${error} (${quirk}): ${isCanceled ? 'a cancel' : 'an error'}`, async (t) => {
    const { isCanceled: hook } = resolve(getConfig(id), noFetch).provider.hooks
    const started = start({ provider: hook ? { hooks: { isCanceled: hook } } : {} })
    const { browser, issuer, log } = started
    issuer.faults.callbackError = error
    issuer.faults.callback = ({ searchParams }) => {
      if (description !== null) searchParams.set('error_description', description)
    }
    const end = await comeBack(browser, await issuer.authorize(await begin(browser)))
    t.equal(parameter(end, 'reason'), isCanceled ? 'cancelled' : null, source)
    t.equal(log[0]?.level, isCanceled ? 'warn' : 'error')
  })
}

for (const { provider: id, quirk, source, endpoint, url } of quirks.endSession) {
  t.test(`the sign-out at ${id}: ${quirk}`, async (t) => {
    const document = {
      issuer: 'https://issuer.test',
      ...{ authorization_endpoint: 'https://issuer.test/authorize', token_endpoint: 'https://issuer.test/token' },
      ...{ jwks_uri: 'https://issuer.test/jwks', userinfo_endpoint: 'https://issuer.test/userinfo' },
      ...(endpoint === null ? {} : { end_session_endpoint: endpoint })
    }
    const { provider, oauth } = resolve(getConfig(id), async () => Response.json(document))
    const request = { idToken: 'token', redirectUri: `${origin}/api/auth/signout`, state: 'state' }
    t.equal(await endSessionUrl(request, provider, oauth), url, source)
  })
}

for (const { provider: id, quirk, source, value, requests, account } of quirks.regions) {
  t.test(`the callback of ${id} names ${quirk}`, async (t) => {
    const asked: string[] = []
    const accounts: string[] = []
    const fetch: Fetch = async (url) => {
      asked.push(url)
      return url.endsWith('/token')
        ? Response.json({ access_token: 'access', expires_in: 3600 })
        : Response.json({ ZUID: 7, First_Name: 'Ada', Last_Name: 'Lovelace', Email: 'ada@example.com' })
    }
    const callbacks = {
      signIn: ({ account: { providerAccountId } }: { account: { providerAccountId: string } }) => {
        accounts.push(providerAccountId)
        return true
      }
    }
    const { browser } = start({ providers: [getConfig(id)], callbacks, runtime: { fetch, now: createClock().now } })
    const { searchParams } = new URL(await begin(browser, {}, `/api/auth/signin/${id}`))
    const back = new URLSearchParams({ code: 'code', state: searchParams.get('state') ?? '' })
    if (value !== null) back.set('accounts-server', value)
    const end = await comeBack(browser, `/api/auth/callback/${id}?${back}`)
    t.same(asked, requests, source)
    t.same(accounts, account === null ? [] : [account])
    t.equal(parameter(end, 'error'), account === null ? 'OAuthCallback' : null)
  })
}

t.test('each row has a source and a date', async (t) => {
  const { grantOver, canceled, endSession, regions, clouds } = quirks
  for (const { source, date } of [grantOver, canceled, endSession, regions, clouds].flat()) {
    t.ok(URL.canParse(source), source)
    t.match(date, /^\d{4}-\d{2}-\d{2}$/)
  }
})

t.test('LinkedIn states email_verified as text, and only there the text counts', async (t) => {
  const stated = [undefined, 'true', true, 'false', false]
  const expected = { linkedin: [false, true, true, false, false], any: [false, false, true, false, false] }
  for (const [id, verified] of Object.entries(expected)) {
    const { provider } = resolve(getConfig(id), noFetch)
    const identities = stated.map((email_verified) => {
      const raw = { sub: 'ada', name: 'Ada', email: 'ada@example.com', email_verified }
      return toIdentity(raw, { tokens: {}, region: null }, provider)
    })
    t.same(
      (await Promise.all(identities)).map(({ emailVerified }) => emailVerified),
      verified,
      id
    )
  }
})
