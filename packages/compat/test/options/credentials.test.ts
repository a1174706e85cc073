import { createPostern } from '@postern/core'
import nextAuthCredentials from 'next-auth/providers/credentials'
import t from 'tap'
import { createLog, origin, secret, startPostern } from '../postern.ts'

t.test('credentials: every input of the form, with whatever attributes', async (t) => {
  const provider = nextAuthCredentials.default({
    name: 'Our house',
    credentials: {
      username: {
        label: 'Name',
        type: 'text',
        placeholder: 'jsmith',
        value: 'ada',
        maxLength: '20',
        autoFocus: 'true'
      },
      password: { label: 'Password', type: 'password' }
    },
    authorize: async () => null
  })
  const app = await startPostern(t, { providers: [provider] })
  const { body } = await app.browser().open('/api/auth/signin')
  t.match(body, /Our house/)
  for (const attribute of [
    /name="username"/,
    /placeholder="jsmith"/,
    /value="ada"/,
    /maxlength="20"/i,
    /name="password"/,
    /type="password"/
  ])
    t.match(body, attribute)
})

t.test('authorize: the credentials, and the request', async (t) => {
  const logged: unknown[] = []
  const authorize = async (...parameters: unknown[]) => {
    logged.push(...parameters)
    return { id: '1', name: 'Ada', email: 'ada@app.test' }
  }
  const provider = nextAuthCredentials.default({
    id: 'house',
    credentials: { username: {} },
    authorize: Object(authorize)
  })
  const app = await startPostern(t, { providers: [provider] })
  for (const json of [false, true]) {
    logged.length = 0
    const fields = { username: 'ada', more: 'x', callbackUrl: '/there' }
    const response = await app.browser().submit('/api/auth/callback/house?from=here', fields, { json })
    t.equal(response.location, `${origin}/there`)
    t.match(logged, [
      { username: 'ada', more: 'x', csrfToken: String, callbackUrl: '/there' },
      {
        method: 'POST',
        query: { from: 'here' },
        body: { username: 'ada' },
        headers: { host: 'app.test', cookie: String }
      }
    ])
  }
})

t.test('a user without an address or a name, or with a number for an id, can sign in', async (t) => {
  for (const user of [
    { id: '1' },
    { id: 7, name: null, email: null },
    { id: '1', name: 'Ada', image: 'https://app.test/a.png', role: 'admin' }
  ]) {
    const app = await startPostern(t, {
      providers: [nextAuthCredentials.default({ credentials: {}, authorize: Object(async () => user) })]
    })
    const browser = app.browser()
    t.equal((await browser.submit('/api/auth/callback/credentials', {})).location, origin)
    t.ok('user' in (await browser.json<object>('/api/auth/session')))
  }
})

t.test('invalid options are reported', async (t) => {
  const provider = (more: object) => ({
    id: 'house',
    name: 'House',
    type: 'credentials' as const,
    authorize: () => null,
    ...more
  })
  const start = (more: object) => () =>
    createPostern({ url: origin, secret, providers: [provider(more)], logger: createLog().logger })
  t.throws(start({ authorize: 'text' }), /providers\.house\.authorize: expected a function/)
  t.throws(
    start({ authorize: undefined }),
    /providers\.house\.authorize: expected a function that returns a user or null, got nothing/
  )
  t.throws(start({ autorize: () => null }), /autorize: unknown option; did you mean providers\.house\.authorize\?/)
  t.throws(start({ credentials: { username: 'text' } }), /house\.credentials\.username: expected an object like/)
  t.throws(start({ credentials: ['username'] }), /providers\.house\.credentials: expected an object, got a list of 1/)
})
