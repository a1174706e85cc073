import type { Adapter, AdapterCall } from '@postern/core'
import { Ledger, type Person, type Rows, settle } from '@postern/testkit/oracle'
import type { Test } from 'tap'
import { DatabaseError } from '../../src/database-error.ts'
import { DuplicateError } from '../../src/duplicate-error.ts'
import { adaRecord } from './sign-in.ts'

const people = 120
const atOnce = 8

/** First sign-ins on two instances, while `kill` ends connections: nobody is lost, doubled, or told what is not so. */
export async function signInUnderKills(
  t: Test,
  adapters: readonly [Required<Adapter>, Required<Adapter>],
  { kill, rows }: { readonly kill: () => Promise<number>; readonly rows: () => Promise<Rows> }
): Promise<void> {
  const [adapter] = adapters
  const ledger = new Ledger()
  let isOver = false
  let kills = 0
  const killing = (async () => {
    while (!isOver) kills += await kill()
  })()
  const told: unknown[] = []
  const visit = async (person: number): Promise<void> => {
    const { identifier, token, calls, sessionToken, who } = signInOf(person)
    const expires = new Date(4102444799999)
    await untilDone(async () => adapter.createVerificationToken({ identifier, token, expires }))
    const failures = await untilDone(async () => adapters[person % 2 === 0 ? 0 : 1].atomically(calls))
    for (const _ of failures) ledger.note(who, { told: 'error 503', link: token })
    ledger.note(who, { told: 'session', given: sessionToken, link: token })
    told.push(...failures)
  }
  const queue = Array.from({ length: people }, (_, person) => person)
  const work = async (): Promise<void> => {
    for (let person = queue.shift(); person !== undefined; person = queue.shift()) await visit(person)
  }
  try {
    await Promise.all(Array.from({ length: atOnce }, work))
  } finally {
    isOver = true
    await killing
  }
  console.log(
    `${kills} connections ended, ${people} people told of success, before it of errors: ${told.join() || 'none'}`
  )
  t.ok(kills > 20, 'connections were ended')
  const whose = async (token: string): Promise<string | null> =>
    (await adapter.getSessionAndUser(token))?.user.email ?? null
  const signIn = async (person: Person): Promise<void> => {
    const user = await adapter.getUserByEmail(person.address)
    const known = await adapter.getUserByAccount({ provider: 'email', providerAccountId: person.address })
    const records = await adapter.getSessionRecords({ userId: person.name })
    t.strictSame([user?.id, known?.id, records.length], [person.name, person.name, 1], `everything of ${person.name}`)
    const given = `again ${person.name}`
    await adapter.createSession({ sessionToken: given, userId: person.name, expires: new Date(4102444799999) })
    ledger.note(person, { told: 'session', given })
  }
  await settle(t, ledger, { rows, whose, signIn }, { what: `${kills} connections ended under the adapter` })
}

function signInOf(person: number) {
  const [id, expires] = [`person${person}`, new Date(4102444799999)]
  const [identifier, token, sessionToken] = [`${id}@example.com`, `t${person}`, `s${person}`]
  const account = { type: 'email', provider: 'email', providerAccountId: identifier } as const
  const calls: readonly AdapterCall[] = [
    { method: 'useVerificationToken', args: [{ identifier, token }] },
    { method: 'createUser', args: [{ id, email: identifier, emailVerified: new Date() }] },
    { method: 'linkAccount', args: [{ ...account, userId: id }] },
    {
      method: 'createSession',
      args: [
        { sessionToken, userId: id, expires },
        { ...adaRecord, id, userId: id, sessionToken }
      ]
    }
  ]
  const who: Person = { name: id, address: identifier, accounts: [`email:${identifier}`] }
  return { identifier, token, sessionToken, calls, who }
}

/**
 * Repeats what failed, as a visitor would who was told of an error: then it may turn out to be done.
 *
 * @returns What it failed with.
 */
async function untilDone(work: () => Promise<unknown>): Promise<readonly string[]> {
  const failures: string[] = []
  for (;;) {
    try {
      const result = await work()
      if (result !== false || failures.length > 0) return failures
      throw new Error('a link that nobody has used was said to be used')
    } catch (error) {
      if (error instanceof DuplicateError && failures.length > 0) return failures
      if (!(error instanceof DatabaseError)) throw error
      failures.push(error.code)
    }
  }
}
