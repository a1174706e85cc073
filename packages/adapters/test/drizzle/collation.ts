import type { Adapter } from '@postern/core'
import type { Test } from 'tap'

/** Tests two accounts that the table compares as equal; `room` is whether it can hold both. */
export async function findsOnlyExactly(t: Test, adapter: Adapter, room: 'one' | 'both'): Promise<void> {
  const [lower, upper] = ['admin', 'ADMIN'].map((id) => ({ provider: 'demo', providerAccountId: id }))
  if (!lower || !upper) throw new TypeError('expected two keys')
  const link = async (name: string, key: typeof lower): Promise<string> => {
    const user = await adapter.createUser?.({ name, email: null, emailVerified: null })
    await adapter.linkAccount?.({ ...key, type: 'oauth', userId: user?.id ?? '' })
    return user?.id ?? ''
  }
  const ada = await link('Ada', lower)
  t.equal((await adapter.getUserByAccount?.(lower))?.id, ada)
  for (const id of ['ADMIN', 'Admin', 'admin ', 'ádmin']) {
    t.notOk(await adapter.getUserByAccount?.({ provider: 'demo', providerAccountId: id }), id)
  }
  t.notOk(await adapter.getUserByAccount?.({ provider: 'DEMO', providerAccountId: 'admin' }), 'another provider')
  if (room === 'one') {
    await t.rejects(link('Eve', upper))
    return
  }
  const eve = await link('Eve', upper)
  t.equal((await adapter.getUserByAccount?.(upper))?.id, eve)
  t.equal((await adapter.getUserByAccount?.(lower))?.id, ada)
}
