import { once } from 'node:events'
import { createRequire, registerHooks } from 'node:module'
import { basename } from 'node:path'
import type { Browser } from '@postern/testkit'
import t from 'tap'
import { accountPath, createUser, openAccountApplication } from './account-application.ts'
import { schedule } from './grace-period-application.ts'

/** The languages whose files this process has loaded. */
const getLoaded = (): readonly string[] =>
  Object.keys(createRequire(import.meta.url).cache)
    .filter((file) => file.includes('/account/src/texts/'))
    .map((file) => basename(file, '.json'))

async function getTitle(browser: Browser, path: string, language: string): Promise<string | undefined> {
  const page = await browser.open(path, { headers: { 'accept-language': language } })
  return page.html().querySelector('h1')?.text
}

t.test('the texts of a language are loaded when a page is first shown in it', async (t) => {
  const application = await openAccountApplication(t, 'database')
  t.same(getLoaded(), [], 'registration')
  t.equal(await getTitle(application.newBrowser(), '/api/auth/signin', 'en'), 'Sign in')
  const browser = await createUser(application)
  t.equal(await getTitle(browser, accountPath, 'en'), 'Your account')
  t.same(getLoaded(), [], 'pages and mails in English')
  t.equal(await getTitle(browser, accountPath, 'ja'), 'アカウント')
  t.same(getLoaded(), ['ja'])
  t.equal(await getTitle(browser, accountPath, 'de-AT'), 'Ihr Konto')
  t.same(getLoaded(), ['ja', 'de'])
})

t.test('a deletion loads no more languages than it takes to find its word', async (t) => {
  const application = await openAccountApplication(t, 'database')
  const browser = await createUser(application)
  const before = getLoaded()
  t.equal((await schedule(browser)).status, 302, 'the word is the English one')
  t.same(getLoaded(), before)
})

t.test('a language whose file is missing is shown in English', async (t) => {
  const hooks = registerHooks({
    resolve: (specifier, context, next) => {
      if (specifier.startsWith('#texts/')) throw new Error('the file was omitted by a bundler')
      return next(specifier, context)
    }
  })
  t.teardown(() => hooks.deregister())
  const warned = once(process, 'warning')
  const browser = await createUser(await openAccountApplication(t, 'database'))
  t.equal(await getTitle(browser, accountPath, 'fr'), 'Your account')
  t.notOk(getLoaded().includes('fr'))
  t.match(await warned, [{ code: 'POSTERN_TEXTS', message: /^#texts\/fr\.json / }], 'and the process warns')
})
