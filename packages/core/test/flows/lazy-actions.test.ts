import { registerHooks } from 'node:module'
import t from 'tap'
import { begin, parameter, start } from './start.ts'

let isReadable = false
const hooks = registerHooks({
  load: (url, context, next) => {
    if (!isReadable && /\/actions\/later\.[jt]s$/.test(url)) throw new Error('EMFILE: too many open files')
    return next(url, context)
  }
})
t.teardown(() => hooks.deregister())

t.test('sign-ins that could not be loaded once are loaded with the next of them', async (t) => {
  const { browser, log } = start()
  const answer = await browser.submit('/api/auth/signin/demo', {})
  t.match({ status: answer.status, error: parameter(answer, 'error') }, { status: 302, error: 'Callback' })
  t.match(JSON.stringify(log), 'EMFILE')
  isReadable = true
  t.ok(await begin(browser), 'the next one goes to the issuer')
})
