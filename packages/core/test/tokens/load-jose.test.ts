import { registerHooks } from 'node:module'
import t from 'tap'
import { jose } from '../../src/tokens/load-jose.ts'

let isReadable = false
const hooks = registerHooks({
  load: (url, context, next) => {
    if (!isReadable && url.includes('/node_modules/jose/')) throw new Error('EMFILE: too many open files')
    return next(url, context)
  }
})
t.teardown(() => hooks.deregister())

t.test('what could not be loaded once is loaded the next time, and then no more', async (t) => {
  await t.rejects(jose(), { message: /EMFILE/ })
  isReadable = true
  const loaded = await jose()
  t.type(loaded.jwtVerify, 'function')
  t.equal(jose(), jose(), 'one promise for all who come later')
})
