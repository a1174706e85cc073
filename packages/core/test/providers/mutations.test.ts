import t from 'tap'
import { cases } from './cases.ts'
import type { Case } from './facts.ts'
import { type Mutation, mutationsOf } from './mutations.ts'
import { signIn } from './sign-in.ts'

async function isFoundOut(id: string, theCases: readonly Case[], { change }: Mutation): Promise<boolean> {
  for (const theCase of theCases) if ((await signIn(id, theCase, change)).length > 0) return true
  return false
}

let count = 0

for (const [id, theCases] of cases) {
  t.test(`${id}: one wrong field is found out`, async (t) => {
    const [usual] = theCases
    const survivors: string[] = []
    for (const mutation of usual ? mutationsOf(usual.make()) : []) {
      if (usual?.indifferent?.includes(mutation.what)) continue
      count += 1
      if (!(await isFoundOut(id, theCases, mutation))) survivors.push(mutation.what)
    }
    t.same(survivors, [])
  })
}

t.test('every provider was changed, in many ways', async (t) => {
  t.ok(count > 10 * cases.size, `${count} wrong fields in ${cases.size} providers, each found out`)
})
