import t from 'tap'
import { cases } from './cases.ts'
import { type Case, factsOf } from './facts.ts'
import { type Mutation, mutationsOf } from './mutations.ts'
import { signIn } from './sign-in.ts'

async function isFoundOut(id: string, theCases: readonly Case[], { change }: Mutation): Promise<boolean> {
  for (const theCase of theCases) if ((await signIn(id, theCase, change)).length > 0) return true
  return false
}

/** A colour that nobody recorded is ours to choose. */
function isOurChoice(id: string, usual: Case, { what }: Mutation): boolean {
  const [, part] = /^style (.+)$/.exec(what) ?? []
  return part !== undefined && factsOf(id, usual).style?.[part] === undefined
}

let count = 0

for (const [id, theCases] of cases) {
  t.test(`${id}: one wrong field is found out`, async (t) => {
    const [usual] = theCases
    const survivors: string[] = []
    if (!usual) return
    for (const mutation of mutationsOf(usual.make())) {
      if (usual.indifferent?.includes(mutation.what) || isOurChoice(id, usual, mutation)) continue
      count += 1
      if (!(await isFoundOut(id, theCases, mutation))) survivors.push(mutation.what)
    }
    t.same(survivors, [])
  })
}

t.test('every provider was changed, in many ways', async (t) => {
  t.ok(count > 10 * cases.size)
  console.log(`providers: ${count} wrong fields in ${cases.size} modules, each found out`)
})
