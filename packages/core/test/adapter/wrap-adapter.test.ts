import t from 'tap'
import type { AdapterCall } from '../../src/adapter/adapter.ts'
import type { AuthJsAdapter } from '../../src/adapter/exact-matches.ts'
import { wrapAdapter } from '../../src/adapter/wrap-adapter.ts'

const logger = { error: () => undefined, warn: () => undefined, debug: () => undefined }
const calls: readonly AdapterCall[] = [{ method: 'deleteSession', args: ['token'] }]

for (const name of ['transact', 'atomically'] as const) {
  t.test(`an adapter that has ${name} writes in one transaction`, async (t) => {
    const received: unknown[] = []
    const adapter: AuthJsAdapter = {
      [name]: async (given: readonly AdapterCall[]) => {
        received.push(given)
        return true
      }
    }
    const { transact } = wrapAdapter(adapter, logger, { isDebugging: false, timeout: 1000 })
    t.same(await transact?.(calls), { kind: 'committed' })
    t.same(received, [calls])
  })
}

t.test('an adapter without both writes one by one', async (t) => {
  t.equal(wrapAdapter({}, logger, { isDebugging: false, timeout: 1000 }).transact, null)
})

t.test('the message says whether the store did not respond, or refused the call', async (t) => {
  const failures = [
    [Object.assign(new Error('closed'), { code: 'ECONNRESET' }), 'the store did not respond'],
    [Object.assign(new Error('null value in column "id"'), { code: '23502' }), 'the store failed']
  ] as const
  for (const [error, message] of failures) {
    const adapter = { getUser: () => Promise.reject(error) }
    const store = wrapAdapter(adapter, logger, { isDebugging: false, timeout: 1000 })
    const cause = { message: `adapter.getUser: ${message}` }
    await t.rejects(store.getUser('ada'), { code: 'StoreUnavailable', message, cause })
  }
  const invalid = wrapAdapter({ getUser: () => 'text' } as never, logger, { isDebugging: false, timeout: 1000 })
  await t.rejects(invalid.getUser('ada'), { message: 'the store failed', cause: { message: /the expected shape/ } })
})
