import { isLong } from '@postern/testkit/long'
import t from 'tap'
import { cases } from './cases.ts'
import { type Case, getFacts } from './facts.ts'
import { getMutations, type Mutation } from './mutations.ts'
import { signIn } from './sign-in.ts'

async function isDetected(id: string, testCases: readonly Case[], { change }: Mutation): Promise<boolean> {
  for (const testCase of testCases) if ((await signIn(id, testCase, change)).length > 0) return true
  return false
}

/** A color that was not recorded may be chosen freely. */
function isIntended(id: string, usual: Case, { title }: Mutation): boolean {
  const [, part] = /^style (.+)$/.exec(title) ?? []
  return part !== undefined && getFacts(id, usual).style?.[part] === undefined
}

/** What a sign-in does not use: `quirks.test.ts` has the refreshes, sign-outs, cancellations and regions of each provider. */
const ofQuirks = /^without (?:endSession|isCanceled|isGrantOver|regions)$/

/** Of the fields of a provider, one in so many. */
const share = isLong ? 1 : 20
let count = 0

for (const [place, [id, testCases]] of [...cases].entries()) {
  t.test(`${id}: one wrong field is found out`, async (t) => {
    const [usual] = testCases
    const survivors: string[] = []
    if (!usual) return
    for (const [index, mutation] of getMutations(usual.make()).entries()) {
      // Other fields of the next provider.
      if ((index + place) % share !== 0) continue
      const { title } = mutation
      if (usual.indifferent?.includes(title) || ofQuirks.test(title) || isIntended(id, usual, mutation)) continue
      count += 1
      if (!(await isDetected(id, testCases, mutation))) survivors.push(mutation.title)
    }
    t.same(survivors, [])
  })
}

t.test('every provider was changed, in many ways', async (t) => {
  t.ok(count > (10 / share) * cases.size)
  console.log(`providers: ${count} wrong fields in ${cases.size} modules, each found out`)
})
