import type { OAuthConfig } from '@postern/core'
import { createBrowser, createIssuer, fromInject, type Issuer } from '@postern/testkit'
import Fastify from 'fastify'
import t, { type Test } from 'tap'
import postern from '../src/index.ts'

const origin = 'https://app.test'

const getProvider = (id: string, { issuer, clientId, clientSecret }: Issuer): OAuthConfig => ({
  ...{ id, name: id, type: 'oidc', issuer, clientId },
  clientSecret: clientSecret ?? undefined
})

/** An application with two providers, and what it logs. */
async function open(t: Test, change: (issuer: Issuer) => void) {
  const issuers = [createIssuer({ issuer: 'https://one.test' }), createIssuer({ issuer: 'https://two.test' })] as const
  const [one, two] = issuers
  change(two)
  const warnings: (readonly [code: string, metadata: unknown])[] = []
  let resolveWarned = (): void => undefined
  const warned = new Promise<void>((resolve) => {
    resolveWarned = resolve
  })
  const app = Fastify()
  t.teardown(() => app.close())
  let resolveAsked = (): void => undefined
  /** Both providers were asked. */
  const asked = new Promise<void>((resolve) => {
    resolveAsked = resolve
  })
  const fetch = async (url: string, init: RequestInit): Promise<Response> => {
    const response = await (url.startsWith(one.issuer) ? one : two).fetch(url, init)
    if (one.requests.length > 0 && two.requests.length > 0) resolveAsked()
    return response
  }
  await app.register(postern, {
    url: origin,
    secret: 'a secret of the tests, 32 characters or more',
    providers: [getProvider('one', one), getProvider('two', two)],
    logger: {
      warn: (code, metadata) => {
        warnings.push([code, metadata])
        resolveWarned()
      }
    },
    runtime: { fetch }
  })
  const countRequests = (): number => one.requests.length + two.requests.length
  return { app, warnings, warned, asked, countRequests }
}

/** The application has listened, and has finished what it began in the background. */
async function listen({ app, asked }: Awaited<ReturnType<typeof open>>): Promise<void> {
  await app.listen({ port: 0, host: '127.0.0.1' })
  await asked
  await app.close()
}

t.test('a provider that requires pushed requests is named when the server listens', async (t) => {
  const opened = await open(t, ({ faults }) => {
    faults.metadata = (metadata) => ({ ...metadata, require_pushed_authorization_requests: true })
  })
  await listen(opened)
  t.match(opened.warnings, [
    ['PROVIDER_UNUSABLE', /^two: the provider requires pushed authorization requests \(RFC 9126\)/]
  ])
  t.equal(opened.countRequests(), 2, 'one document of each provider')
})

t.test('so is a provider whose metadata cannot be read', async (t) => {
  const opened = await open(t, ({ faults }) => {
    faults.respond = () => Response.json({ error: 'invalid_tenant' }, { status: 400 })
  })
  await listen(opened)
  t.match(opened.warnings, [
    [
      'PROVIDER_UNUSABLE',
      /^two: discovery failed: https:\/\/two\.test\/\S+ .*got 400: the server said "invalid_tenant"/
    ]
  ])
})

t.test('a sign-in after a check that failed tries again', async (t) => {
  let isDown = true
  const { app, warned } = await open(t, ({ faults }) => {
    faults.respond = () => (isDown ? Response.json({}, { status: 503 }) : null)
  })
  await app.listen({ port: 0, host: '127.0.0.1' })
  await warned
  isDown = false
  const browser = createBrowser({ origin, send: fromInject(app) })
  const { location } = await browser.submit('/api/auth/signin/two', {})
  t.match(location, /^https:\/\/two\.test\//)
})

t.test('an application that does not listen calls no provider', async (t) => {
  const opened = await open(t, () => undefined)
  const browser = createBrowser({ origin, send: fromInject(opened.app) })
  await browser.open('/api/auth/signin')
  t.equal(opened.countRequests(), 0)
})

t.test('the first sign-in finds the document in the cache', async (t) => {
  const { app, warnings, asked, countRequests } = await open(t, () => undefined)
  const browser = createBrowser({ origin, send: fromInject(app) })
  await app.listen({ port: 0, host: '127.0.0.1' })
  await asked
  const { location } = await browser.submit('/api/auth/signin/one', {})
  t.match(location, /^https:\/\/one\.test\//)
  await app.close()
  t.equal(countRequests(), 2)
  t.same(warnings, [])
})
