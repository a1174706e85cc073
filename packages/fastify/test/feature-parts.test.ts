// The parts of a feature that other pages and responses show, over HTTP.
import { createPostern } from '@postern/core'
import { type Feature, type FeatureParts, SignInError } from '@postern/core/feature'
import t from 'tap'
import { origin, people, secret, start } from './start.ts'

const base = `${origin}/api/auth`
const german = { headers: { 'accept-language': 'de' } }

/** A feature with these parts. */
const withParts = (parts: FeatureParts): Feature => ({ id: 'vault', setup: () => parts })

const locked = withParts({
  texts: {
    en: { locked: 'The vault is locked.', wait: 'Come back tomorrow.', ask: 'Ask for a key.' },
    de: { locked: 'Der Tresor ist verschlossen.', wait: 'Kommen Sie morgen wieder.' }
  },
  errors: [
    { code: 'VaultLocked', text: 'locked', next: 'wait', status: 423 },
    { code: 'VaultKey', text: 'ask', screen: 'signin', status: 401 }
  ],
  routes: ['VaultLocked', 'VaultKey', 'VaultUnknown'].map((code) => ({
    method: 'GET',
    path: `/vault/${code}`,
    access: 'anyone',
    answers: 'html',
    run: () => {
      throw new SignInError(code)
    }
  }))
})

t.test('the error page explains an error code of a feature, in the language of the page', async (t) => {
  const { browser, app } = await start(t, { features: [locked], instances: 1 })
  const refused = await browser.open('/api/auth/vault/VaultLocked')
  t.match(refused.location, `${base}/error?error=VaultLocked&ref=`)
  const page = await browser.open(refused.location ?? '')
  t.match([page.status, page.body], [423, /The vault is locked\..*Come back tomorrow\./])
  t.match((await browser.open(refused.location ?? '', german)).body, /Der Tresor ist verschlossen\..*morgen wieder/)
  const { statusCode, body } = await app.inject({
    url: '/api/auth/vault/VaultLocked',
    headers: { 'x-auth-return-redirect': '1' }
  })
  t.match([statusCode, JSON.parse(body)], [423, { url: `${base}/error?error=VaultLocked&ref=` }])
})

t.test('the sign-in page explains an error code of a feature, in English if the language lacks the text', async (t) => {
  const { browser } = await start(t, { features: [locked], instances: 1 })
  const refused = await browser.open('/api/auth/vault/VaultKey')
  t.match(refused.location, `${base}/signin?error=VaultKey&ref=`)
  t.match((await browser.open(refused.location ?? '', german)).body, 'Ask for a key.')
  t.equal((await browser.open('/api/auth/error?error=VaultKey')).location, `${base}/signin?error=VaultKey`)
})

t.test('an error code that no feature declares keeps its page and status', async (t) => {
  const { browser } = await start(t, { features: [locked], instances: 1 })
  const refused = await browser.open('/api/auth/vault/VaultUnknown')
  t.match(refused.location, `${base}/error?error=VaultUnknown&ref=`)
  const page = await browser.open(refused.location ?? '')
  t.equal(page.status, 200)
  t.notMatch(page.body, 'vault')
})

t.test('without a renderer, the pages explain the error codes in English', async (t) => {
  const postern = createPostern({ secret, url: origin, providers: [people], features: [locked] })
  t.teardown(postern.close)
  const open = async (path: string): Promise<string> =>
    (await postern.fetch(new Request(`${base}${path}`, german))).text()
  t.match(await open('/error?error=VaultLocked'), '<p>The vault is locked. Come back tomorrow.</p>')
  t.match(await open('/signin?error=VaultKey'), '<p role="alert">Ask for a key.</p>')
})
