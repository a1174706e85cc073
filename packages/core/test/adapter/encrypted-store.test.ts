import t from 'tap'
import type { Adapter } from '../../src/adapter/adapter.ts'
import { wrapAdapter } from '../../src/adapter/wrap-adapter.ts'
import { encrypt } from './encrypt.ts'

const logger = { error: () => undefined, warn: () => undefined, debug: () => undefined }

t.test('an account whose tokens are not text is read as the adapter returns it', async (t) => {
  // An adapter of another library, whose column holds bytes.
  const row = Object.assign(
    { provider: 'github', providerAccountId: '1', type: 'oauth', userId: 'ada', id_token: null } as const,
    { access_token: new TextEncoder().encode('bytes'), refresh_token: 'text' }
  )
  const adapter = Object.assign<Adapter, object>({}, { getAccounts: async () => [row] })
  const store = encrypt(wrapAdapter(adapter, logger, { isDebugging: false, timeout: 1000 }), ['a secret'])
  t.same(await store.getAccounts?.('ada'), [row])
})
