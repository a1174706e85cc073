import type { Adapter, AdapterCall } from '@postern/core'
import { Ledger, type Person, type Rows, settle } from '@postern/testkit/consistency-checker'
import { times } from '@postern/testkit/long'
import type { Test } from 'tap'
import { DatabaseError } from '../../src/database-error.ts'
import { DuplicateError } from '../../src/duplicate-error.ts'
import { adaRecord } from './sign-in.ts'

const people = times(20, 120)
const concurrent = 8

/** Connections that are ended for each sign-in: if it were more, a slow machine would sign nobody in. */
const maxKills = times(1, 4)

/** First sign-ins on two instances, while `kill` ends connections: no user is lost, duplicated, or gets a wrong result. */
export async function signInUnderKills(
  t: Test,
  adapters: readonly [Required<Adapter>, Required<Adapter>],
  { kill, rows }: { readonly kill: () => Promise<number>; readonly rows: () => Promise<Rows> }
): Promise<void> {
  const [adapter] = adapters
  const ledger = new Ledger()
  let isOver = false
  let kills = 0
  let signIns = 0
  let goOn: () => void = () => undefined
  const killing = (async () => {
    while (!isOver) {
      if (kills < maxKills * (signIns + 1)) kills += await kill()
      else
        await new Promise<void>((resolve) => {
          goOn = resolve
        })
    }
  })()
  const reported: unknown[] = []
  /**
   * Retries after an error, as a user would. The first attempt may have succeeded.
   *
   * @returns The errors.
   */
  const untilDone = async (work: () => Promise<unknown>): Promise<readonly string[]> => {
    const failures: string[] = []
    while (!isOver) {
      try {
        const result = await work()
        if (result !== false || failures.length > 0) return failures
        throw new Error('an unused link was reported as used')
      } catch (error) {
        if (error instanceof DuplicateError && failures.length > 0) return failures
        if (!(error instanceof DatabaseError)) throw error
        failures.push(error.code)
      }
    }
    throw new Error('another sign-in has failed')
  }
  const visit = async (person: number): Promise<void> => {
    const { identifier, token, calls, sessionToken, who } = getSignIn(person)
    const expires = new Date(4102444799999)
    await untilDone(async () => adapter.createVerificationToken({ identifier, token, expires }))
    const failures = await untilDone(async () => adapters[person % 2 === 0 ? 0 : 1].transact(calls))
    for (const _ of failures) ledger.note(who, { result: 'error 503', link: token })
    ledger.note(who, { result: 'session', given: sessionToken, link: token })
    reported.push(...failures)
    signIns += 1
    goOn()
  }
  let visitors = 0
  // A fast machine signs more people in before enough connections were ended.
  const isEnough = (): boolean => visitors >= people && (kills > people / 6 || visitors >= 10 * people)
  const work = async (): Promise<void> => {
    while (!isEnough()) await visit(visitors++)
  }
  const working = Array.from({ length: concurrent }, work)
  try {
    await Promise.all(working)
  } finally {
    isOver = true
    goOn()
    await Promise.allSettled([...working, killing])
  }
  console.log(
    `${kills} connections ended, ${visitors} sign-ins succeeded, after these errors: ${reported.join() || 'none'}`
  )
  t.ok(kills > people / 6, 'connections were ended')
  const whose = async (token: string): Promise<string | null> =>
    (await adapter.getSessionAndUser(token))?.user.email ?? null
  const signIn = async (person: Person): Promise<void> => {
    const user = await adapter.getUserByEmail(person.address)
    const existing = await adapter.getUserByAccount({ provider: 'email', providerAccountId: person.address })
    const records = await adapter.getSessionRecords({ userId: person.name })
    t.strictSame(
      [user?.id, existing?.id, records.length],
      [person.name, person.name, 1],
      `everything of ${person.name}`
    )
    const given = `again ${person.name}`
    await adapter.createSession({ sessionToken: given, userId: person.name, expires: new Date(4102444799999) })
    ledger.note(person, { result: 'session', given })
  }
  await settle(t, ledger, { rows, whose, signIn }, { title: `${kills} connections ended under the adapter` })
}

function getSignIn(person: number) {
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
