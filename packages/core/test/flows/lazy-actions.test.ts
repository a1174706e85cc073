import { registerHooks } from 'node:module'
import t from 'tap'
import { begin, parameter, start } from './start.ts'

let isReadable = false
const hooks = registerHooks({
  load: (url, context, next) => {
    if (!isReadable && /\/actions\/lazy-actions\.[jt]s$/.test(url)) throw new Error('EMFILE: too many open files')
    return next(url, context)
  }
})
t.teardown(() => hooks.deregister())

t.test('sign-ins that could not be loaded once are loaded with the next of them', async (t) => {
  const { browser, log } = start()
  const response = await browser.submit('/api/auth/signin/demo', {})
  t.match({ status: response.status, error: parameter(response, 'error') }, { status: 302, error: 'Callback' })
  t.match(JSON.stringify(log), 'EMFILE')
  isReadable = true
  t.ok(await begin(browser), 'the next one is redirected to the issuer')
})
