import t from 'tap'
import { cases } from './cases.ts'
import { signIn } from './sign-in.ts'

for (const [id, [usual, ...others]] of cases) {
  t.test(`${id}: a whole sign-in, as recorded`, async (t) => {
    if (usual) t.same(await signIn(id, usual), [])
    for (const other of others) t.same(await signIn(id, other), [], 'and in its other kinds')
  })
}
