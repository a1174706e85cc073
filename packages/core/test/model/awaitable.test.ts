import { runInNewContext } from 'node:vm'
import t from 'tap'
import { chain, type MaybePromise, whenAll } from '../../src/model/awaitable.ts'

t.test('a promise of another realm is waited for, as of an application that replaces the global class', async (t) => {
  const create = (): MaybePromise<number> => runInNewContext('Promise.resolve(1)')
  t.equal(await chain(create(), (value) => value + 1), 2)
  t.same(await whenAll([1, create()]), [1, 1])
  t.equal(
    chain(1, (value) => value + 1),
    2,
    'a value is passed on at once'
  )
  t.same(whenAll([1, 2]), [1, 2])
})
