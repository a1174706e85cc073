import type { OAuthConfig } from '@postern/core'
import freshbooks from '@postern/core/providers/freshbooks'
import github from '@postern/core/providers/github'
import gitlab from '@postern/core/providers/gitlab'
import trakt from '@postern/core/providers/trakt'
import t, { type Test } from 'tap'
import { origin, type StartOptions, start } from './start.ts'

const client = { clientId: 'client', clientSecret: 'secret' }
const names = { username: 'ada', name: 'Ada', email: null }
/** A profile that all of these providers understand. */
const profile = {
  ...{ ...names, id: 1, login: 'ada', avatar_url: null },
  response: { ...names, id: 1 },
  user: { ...names, ids: { slug: 'ada', uuid: 'b6589fc6ab0dc82cf12099d1c2d40ab994e8410c' } }
}

/** Signs in with the provider and refreshes the token. @returns The refresh request. */
async function refresh(t: Test, provider: OAuthConfig, options: StartOptions = {}): Promise<object> {
  const requests: URLSearchParams[] = []
  const runtime = {
    fetch: async (_address: string, { method, body }: RequestInit): Promise<Response> => {
      if (method !== 'POST') return Response.json(profile)
      requests.push(new URLSearchParams(String(body)))
      const count = requests.length
      const tokens = { access_token: `access ${count}`, refresh_token: `refresh ${count}` }
      return Response.json({ ...tokens, token_type: 'bearer', expires_in: 3600 })
    }
  }
  const { app, browser, clock } = await start(t, { providers: [provider], runtime, ...options })
  app.get('/token', async (request) => ({ token: await request.getAccessToken(provider.id) }))
  const { location } = await browser.submit(`/api/auth/signin/${provider.id}`, {})
  const state = new URL(location ?? '').searchParams.get('state') ?? ''
  await browser.open(`/api/auth/callback/${provider.id}?${new URLSearchParams({ code: 'c', state })}`)
  clock.advance(3600)
  t.same(await browser.json('/token'), { token: 'access 2' })
  const [exchange, last] = requests
  t.equal(exchange?.get('redirect_uri'), `${origin}/api/auth/callback/${provider.id}`)
  const { client_id: _, client_secret: __, ...rest } = Object.fromEntries(last ?? [])
  return rest
}

const severalOrigins = { url: undefined, trustHost: ['https://app.test', 'https://other.test'] }
const usual = { grant_type: 'refresh_token', refresh_token: 'refresh 1' }

for (const make of [freshbooks, gitlab, trakt]) {
  t.test(`${make.name} receives the redirect URI with a refresh request too`, async (t) => {
    const provider = make(client)
    const redirectUri = `${origin}/api/auth/callback/${provider.id}`
    t.same(await refresh(t, provider), { ...usual, redirect_uri: redirectUri })
  })

  t.test(`${make.name}: no redirect URI is known if the origin is taken from the request`, async (t) => {
    t.same(await refresh(t, make(client), severalOrigins), usual)
  })
}

t.test('other providers receive the refresh request of RFC 6749', async (t) => {
  t.same(await refresh(t, github(client)), usual)
})
