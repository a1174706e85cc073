import { EventEmitter } from 'node:events'
import https from 'node:https'
import { createRequire } from 'node:module'
import { Readable } from 'node:stream'
import { createPostern } from '@postern/core'
import { createBrowser, fromFetch } from '@postern/testkit'
import t from 'tap'
import { createLog, origin, secret } from '../postern.ts'
import { formatLog } from '../user-code/faults.ts'
import { load, recorded } from './load.ts'
import { createWorld } from './world.ts'

/** Options that the application must add, because the library does not set them. */
const additionalOptions: Readonly<Record<string, object>> = {
  '@auth/core/providers/netsuite': { userinfo: 'https://accountid.restlets.api.netsuite.com/userinfo' }
}

/** Modules that sign no one in with their own library either, and why. */
const broken: Readonly<Record<string, string>> = {
  'next-auth/providers/linkedin': 'asks for an ID Token, and names neither its issuer nor its keys'
}

/** One module uses HTTP directly, with Node's client. */
function overHttps(answering: Promise<Response>): EventEmitter {
  const request = new EventEmitter()
  answering.then(async (response) => {
    request.emit(
      'response',
      Object.assign(Readable.from([Buffer.from(await response.arrayBuffer())]), { statusCode: 200 })
    )
  })
  return request
}

for (const record of recorded.filter(({ endpoint }) => endpoint !== undefined)) {
  const { module, id } = record
  t.test(`${module}${record.options.includes('version') ? ' 2.0' : ''}`, async (t) => {
    const world = createWorld(record)
    t.intercept(globalThis, 'fetch', { value: world.fetch })
    t.intercept(https, 'get', { value: (url: URL) => overHttps(world.fetch(url)) })
    const { lines, logger } = createLog()
    let account: unknown
    const auth = createPostern({
      url: origin,
      secret,
      providers: [{ ...(await load(record)), ...additionalOptions[module] }],
      logger,
      runtime: { fetch: world.fetch },
      callbacks: {
        jwt: (question) => {
          account = question.account ?? account
          return question.token
        }
      }
    })
    const browser = createBrowser({ origin, send: fromFetch(auth.fetch) })
    const response = await browser.submit(`/api/auth/signin/${id}`, {})
    const back = world.agree(response.location ?? '', `${origin}/api/auth/callback/${id}`)
    const reply = await browser.open(back, { headers: { 'sec-fetch-site': 'cross-site' } })
    if (broken[module]) {
      t.match(reply.location, /error=OAuthCallback/, broken[module])
      t.same(await browser.json('/api/auth/session'), {})
      return
    }
    t.equal(reply.location, origin, formatLog(lines))
    t.match(account, { provider: id, providerAccountId: '7', access_token: 'token' }, world.calls.join())
    t.match(await browser.json('/api/auth/session'), { user: {} })
  })
}

t.test('next-auth/providers/azure-ad of any tenant: the tenant of the user has issued the ID Token', async (t) => {
  const { default: azure } = createRequire(import.meta.url)('next-auth/providers/azure-ad')
  const provider = azure({ clientId: 'client-id', clientSecret: 'client-secret' })
  for (const [module, location] of [
    ['@auth/core/providers/azure-ad', /^https:\/\/app\.test$/],
    ['next-auth/providers/azure-ad', /error=OAuthCallback/]
  ] as const) {
    const world = createWorld({ module, id: 'azure-ad', options: [] })
    t.intercept(globalThis, 'fetch', { value: world.fetch })
    const { logger } = createLog()
    const auth = createPostern({ url: origin, secret, providers: [provider], logger, runtime: { fetch: world.fetch } })
    const browser = createBrowser({ origin, send: fromFetch(auth.fetch) })
    const response = await browser.submit('/api/auth/signin/azure-ad', {})
    const back = world.agree(response.location ?? '', `${origin}/api/auth/callback/azure-ad`)
    const reply = await browser.open(back, { headers: { 'sec-fetch-site': 'cross-site' } })
    t.match(reply.location, location)
  }
})
