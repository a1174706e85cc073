import { type Case, has, it } from './case.ts'
import { newSession, newToken, newUser } from './data.ts'

const instants: readonly [title: string, instant: Date][] = [
  ['a millisecond', new Date('2031-02-03T04:05:06.789Z')],
  ['the last millisecond of a second', new Date('2031-02-03T04:05:06.999Z')],
  ['an hour that summer time leaves out', new Date('2031-03-30T01:30:00.001Z')],
  ['a leap day', new Date('2032-02-29T23:59:59.999Z')],
  ['a year after 2038', new Date('2099-12-31T23:59:59.999Z')],
  ['a year long past', new Date('1999-12-31T23:59:59.999Z')]
]

/** Dates are stored with millisecond precision. */
export const dates: readonly Case[] = instants.map(([title, instant]) =>
  it(`${title} is kept`, async (t, adapter) => {
    const time = instant.getTime()
    const user = await adapter.createUser(newUser({ emailVerified: instant }))
    t.equal((await adapter.getUser(user.id))?.emailVerified?.getTime(), time, 'when an address was proven')

    const session = newSession(user.id, { expires: instant })
    await adapter.createSession(session)
    const found = await adapter.getSessionAndUser(session.sessionToken)
    t.equal(found?.session.expires.getTime(), time, 'when a session ends')
    t.equal(found?.user.emailVerified?.getTime(), time, 'when the address of its user was proven')
    await adapter.updateSession({ sessionToken: session.sessionToken, expires: new Date(time + 1) })
    const moved = await adapter.getSessionAndUser(session.sessionToken)
    t.equal(moved?.session.expires.getTime(), time + 1, 'when it ends after it was moved by one')

    const token = newToken({ expires: instant })
    await adapter.createVerificationToken(token)
    if (has(adapter, 'getVerificationToken')) {
      t.equal((await adapter.getVerificationToken(token))?.expires.getTime(), time, 'when a one-time token ends')
    }
    t.equal((await adapter.useVerificationToken(token))?.expires.getTime(), time, 'when a one-time token ended')
  })
)
