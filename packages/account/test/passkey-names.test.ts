import { spawnSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { languages } from '@postern/pages'
import t from 'tap'
import { aaguidNames } from '../src/passkey/aaguid-names.ts'
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
    t.equal(list.html().querySelector('nav a')?.text, name, language)
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

t.test('the list of models is sorted, and has names that a user could type', async (t) => {
  const ids = aaguidNames.map(([aaguid]) => aaguid)
  t.same(ids, [...new Set(ids)].toSorted())
  for (const [aaguid, name] of aaguidNames) {
    t.match(aaguid, /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/)
    t.equal(normalizeName(name), name)
  }
})

t.test('the list is written from a copy, sorted and without icons; what is no list is refused', async (t) => {
  const folder = t.testdir()
  const [copy, output] = [join(folder, 'aaguid.json'), join(folder, 'aaguid-names.ts')]
  const script = join(import.meta.dirname, '../../../../scripts/write-aaguid-names.mjs')
  const write = (list: object, date: string = '2026-01-02') => {
    writeFileSync(copy, JSON.stringify(list))
    return spawnSync(process.execPath, [script, copy, date, output], { encoding: 'utf8' })
  }
  const icons = { icon_dark: 'data:image/svg+xml;base64,AAAA' }
  const list = {
    [unknown]: { name: "Ada's key", ...icons },
    [bitwarden]: { name: 'Two' },
    [`0${unknown.slice(1)}`]: { name: 'One' }
  }
  t.equal(write(list).status, 0)
  const text = readFileSync(output, 'utf8')
  t.match(text, 'aaguid.json of 2026-01-02')
  t.same(text.match(/^ {2}\[.*\]/gm), [
    `  ['0${unknown.slice(1)}', 'One']`,
    `  ['${unknown}', "Ada's key"]`,
    `  ['${bitwarden}', 'Two']`
  ])
  t.notMatch(text, 'svg')
  t.match(write({}), { status: 1, stderr: /retired/ })
  t.match(write({ [unknown.toUpperCase().replace('1', 'X')]: { name: 'A' } }), { status: 1, stderr: /AAGUID/ })
  for (const name of ['', ' a', 'a\u202eb', 'a'.repeat(65), 1])
    t.match(write({ [unknown]: { name } }), { status: 1, stderr: /expected a name/ })
  t.match(write(list, 'today'), { status: 1, stderr: /usage/ })
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
