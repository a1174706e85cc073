import type { Adapter, AdapterCall } from '@postern/core'
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
  kill: () => Promise<number>
): Promise<void> {
  const [adapter] = adapters
  let isOver = false
  let kills = 0
  const killing = (async () => {
    while (!isOver) kills += await kill()
  })()
  const told: unknown[] = []
  const visit = async (person: number): Promise<void> => {
    const { identifier, token, calls } = signInOf(person)
    const expires = new Date(4102444799999)
    await untilDone(async () => adapter.createVerificationToken({ identifier, token, expires }))
    const failures = await untilDone(async () => adapters[person % 2 === 0 ? 0 : 1].atomically(calls))
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
  for (let person = 0; person < people; person += 1) {
    const { id, account, sessionToken } = signInOf(person)
    const found = [
      (await adapter.getUserByAccount(account))?.id,
      (await adapter.getUserByEmail(`${id}@example.com`))?.id,
      (await adapter.getSessionAndUser(sessionToken))?.user.id,
      (await adapter.getSessionRecords({ userId: id }))[0]?.userId
    ]
    t.strictSame(found, [id, id, id, id], `everything of ${id}`)
  }
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
  return { id, identifier, token, sessionToken, account, calls }
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
