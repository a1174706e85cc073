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
