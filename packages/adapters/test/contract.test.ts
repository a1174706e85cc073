import type { Adapter, AdapterAccount } from '@postern/core'
import t from 'tap'
import { testAdapter } from '../src/contract/index.ts'
import { memoryAdapter } from '../src/memory/index.ts'
import { createRecorder } from './recorder.ts'

type Memory = ReturnType<typeof memoryAdapter>

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))
const fold = (text: string): string => text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase().trimEnd()
const toSecond = (date: Date): Date => new Date(Math.floor(date.getTime() / 1000) * 1000)

/** Adapters with one fault each, and a case that has to find it. */
const faults: readonly [fault: string, found: RegExp, broken: (good: Memory) => Partial<Memory>][] = [
  [
    'reads a one-time token, and deletes it later',
    /^races > of many who take one token, one gets it$/,
    (good) => ({
      useVerificationToken: async (pair) => {
        const found = await good.getVerificationToken(pair)
        await turn()
        await good.useVerificationToken(pair)
        return found
      }
    })
  ],
  [
    'looks a one-time token up without the identifier',
    /^verification tokens > the token with another identifier/,
    (good) => {
      const identifiers = new Map<string, string>()
      return {
        createVerificationToken: (token) => {
          identifiers.set(token.token, token.identifier)
          return good.createVerificationToken(token)
        },
        useVerificationToken: ({ identifier, token }) =>
          good.useVerificationToken({ identifier: identifiers.get(token) ?? identifier, token })
      }
    }
  ],
  [
    'looks a one-time token up without the token',
    /^verification tokens > the identifier with another token/,
    (good) => {
      const tokens = new Map<string, string>()
      return {
        createVerificationToken: (token) => {
          tokens.set(token.identifier, token.token)
          return good.createVerificationToken(token)
        },
        useVerificationToken: ({ identifier, token }) =>
          good.useVerificationToken({ identifier, token: tokens.get(identifier) ?? token })
      }
    }
  ],
  [
    'uses a token up when the pair is wrong',
    /^verification tokens > the token with another identifier/,
    (good) => {
      const identifiers = new Map<string, string>()
      return {
        createVerificationToken: (token) => {
          identifiers.set(token.token, token.identifier)
          return good.createVerificationToken(token)
        },
        useVerificationToken: async ({ identifier, token }) => {
          const taken = await good.useVerificationToken({ identifier: identifiers.get(token) ?? identifier, token })
          return taken?.identifier === identifier ? taken : null
        }
      }
    }
  ],
  [
    'uses a token up by looking at it',
    /^verification tokens > getVerificationToken: looks without using up/,
    (good) => ({ getVerificationToken: good.useVerificationToken })
  ],
  [
    'keeps the user when the account cannot be created',
    /^transactions > createUserWithAccount: leaves no user/,
    (good) => ({
      createUserWithAccount: async (user, account) => {
        const created = await good.createUser(user)
        await good.linkAccount({ ...account, userId: created.id })
        return created
      }
    })
  ],
  [
    'keeps the account when the user cannot be created',
    /^transactions > createUserWithAccount: leaves no account/,
    (good) => ({
      createUserWithAccount: async (user, account) => {
        const taken = await good.getUserByEmail(user.email ?? '')
        if (!taken) return good.createUserWithAccount(user, account)
        await good.linkAccount({ ...account, userId: taken.id })
        throw new Error('the address is taken')
      }
    })
  ],
  [
    'gives an account to whoever links it last',
    /^accounts > an account has one owner/,
    (good) => ({
      linkAccount: async (account) => {
        await good.unlinkAccount(account)
        return good.linkAccount(account)
      }
    })
  ],
  [
    'looks an account up by its id alone',
    /^accounts > both members of the pair/,
    (good) => ({
      linkAccount: (account) => good.linkAccount({ ...account, provider: 'any' }),
      getUserByAccount: (key) => good.getUserByAccount({ ...key, provider: 'any' })
    })
  ],
  [
    'compares without case and accents',
    /^texts that are nearly the same > accent makes a difference/,
    (good) => ({
      linkAccount: (account) => good.linkAccount({ ...account, providerAccountId: fold(account.providerAccountId) }),
      getUserByAccount: (key) => good.getUserByAccount({ ...key, providerAccountId: fold(key.providerAccountId) })
    })
  ],
  [
    'cuts a text at NUL',
    /^odd texts > NUL is kept/,
    (good) => ({
      createUser: (user) => good.createUser({ ...user, name: user.name?.split('\0')[0] ?? null })
    })
  ],
  [
    'trims texts',
    /^odd texts > white space/,
    (good) => ({ createUser: (user) => good.createUser({ ...user, name: user.name?.trim() ?? null }) })
  ],
  [
    'keeps seconds',
    /^dates > a millisecond is kept/,
    (good) => ({ createSession: (session) => good.createSession({ ...session, expires: toSecond(session.expires) }) })
  ],
  [
    'hides sessions that have ended',
    /^sessions > a session that has ended is returned too/,
    (good) => ({
      getSessionAndUser: async (sessionToken) => {
        const found = await good.getSessionAndUser(sessionToken)
        return found && found.session.expires > new Date() ? found : null
      }
    })
  ],
  [
    'empties the fields that an update does not name',
    /^users > updating changes the given fields of that user only/,
    (good) => ({ updateUser: (user) => good.updateUser({ name: null, email: null, image: null, ...user }) })
  ],
  [
    'reads a user, and writes it back later',
    /^races > two updates of one user do not undo each other/,
    (good) => ({
      updateUser: async (user) => {
        const before = await good.getUser(user.id)
        await turn()
        return good.updateUser({ ...before, ...user })
      }
    })
  ],
  [
    'answers an update of nobody',
    /^users > updating nobody fails/,
    (good) => ({
      updateUser: async (user) => {
        const known = await good.getUser(user.id)
        return known ? good.updateUser(user) : { email: null, emailVerified: null, ...user }
      }
    })
  ],
  [
    'gives one address to two users',
    /^users > an address belongs to one user/,
    (good) => {
      const emails = new Map<string, string | null>()
      return {
        createUser: async (user) => {
          const created = await good.createUser({ ...user, email: null })
          emails.set(created.id, user.email)
          return { ...created, email: user.email }
        },
        getUser: async (id) => {
          const user = await good.getUser(id)
          return user && { ...user, email: emails.get(id) ?? null }
        }
      }
    }
  ],
  [
    'leaves the sessions of a deleted user',
    /^users > a user who is deleted/,
    (good) => ({ deleteUser: (id) => good.updateUser({ id, email: null, name: null }) })
  ],
  [
    'ends every session of a user at sign-out',
    /^sessions > deleting ends that session only/,
    (good) => ({
      deleteSession: async (sessionToken) => {
        const found = await good.getSessionAndUser(sessionToken)
        return found && good.deleteSessions(found.user.id)
      }
    })
  ],
  [
    'ends the excepted session too',
    /^sessions > deleteSessions: leaves the one/,
    (good) => ({ deleteSessions: (userId) => good.deleteSessions(userId) })
  ],
  [
    'lists the sessions of everybody',
    /^sessions > listSessions: gives all sessions of that user/,
    (good) => {
      const everybody = new Set<string>()
      return {
        createSession: (session) => {
          everybody.add(session.userId)
          return good.createSession(session)
        },
        listSessions: async () => (await Promise.all([...everybody].map((id) => good.listSessions(id)))).flat()
      }
    }
  ],
  [
    'creates an account that is to be updated',
    /^accounts > updateAccount: creates nothing/,
    (good) => ({
      updateAccount: async (account) => {
        const user =
          (await good.getUserByAccount(account)) ?? (await good.createUser({ email: null, emailVerified: null }))
        await good.unlinkAccount(account)
        return good.linkAccount({ type: 'oauth', ...account, userId: user.id })
      }
    })
  ],
  [
    'fails on fields that it does not know',
    /^accounts > fields that are unknown/,
    (good) => ({
      linkAccount: async (account) => {
        if ('refresh_expires_in' in account) throw new Error('unknown column')
        return good.linkAccount(account)
      }
    })
  ],
  [
    'writes a refresh token that it was not to write',
    /^races > updateAccount: of many who expect one refresh token/,
    (good) => ({
      updateAccount: async (account, expected) => {
        const user = await good.getUserByAccount(account)
        const [before] = await good.getAccounts(user?.id ?? '')
        await turn()
        if (expected && before?.refresh_token !== expected.refresh_token) return false
        return good.updateAccount(account)
      }
    })
  ],
  [
    'does not look at the expected refresh token',
    /^accounts > updateAccount: writes only where/,
    (good) => ({ updateAccount: (account) => good.updateAccount(account) })
  ],
  [
    'forgets the record that a session is created with',
    /^session records > getSessionRecords: a session is created with its record/,
    (good) => ({ createSession: (session) => good.createSession(session) })
  ],
  [
    'writes the record of a session that was refused',
    /^session records > getSessionRecords: a session that is refused leaves no record/,
    (good) => ({
      createSession: async (session, record) => {
        if (record) await good.putSessionRecord({ ...record, sessionToken: null })
        return good.createSession(session)
      }
    })
  ],
  [
    'adds a record where it is to put one in place',
    /^session records > putSessionRecord: writes a record, and another one in its place/,
    (good) => {
      let records = 0
      return {
        putSessionRecord: (record) => {
          records += 1
          return good.putSessionRecord({ ...record, id: `${record.id}-${records}` })
        }
      }
    }
  ],
  [
    'looks records up by the provider’s session alone',
    /^session records > getSessionRecords: finds those of a user/,
    (good) => ({
      createSession: (session, record) => good.createSession(session, record && { ...record, provider: 'any' }),
      getSessionRecords: (query) => good.getSessionRecords('provider' in query ? { ...query, provider: 'any' } : query)
    })
  ],
  [
    'leaves the record of a session that was ended',
    /^ends of session records > getSessionRecords: a session that is deleted takes/,
    (good) => ({
      deleteSession: async (sessionToken) => {
        const found = await good.getSessionAndUser(sessionToken)
        const records = await good.getSessionRecords({ userId: found?.user.id ?? '' })
        await good.deleteSession(sessionToken)
        for (const record of records) await good.putSessionRecord(record)
      }
    })
  ],
  [
    'takes the records of everybody along',
    /^ends of session records > getSessionRecords: sessions that are deleted take/,
    (good) => ({
      deleteSessions: async (userId, except) => {
        for (const { id } of await good.getSessionRecords({ userId })) await good.deleteSessionRecord(id)
        await good.deleteSessions(userId, except)
      }
    })
  ],
  [
    'leaves the records of a deleted user',
    /^ends of session records > getSessionRecords: a user who is deleted takes/,
    (good) => ({
      deleteUser: async (userId) => {
        const records = await good.getSessionRecords({ userId })
        await good.deleteUser(userId)
        for (const record of records) await good.putSessionRecord(record)
      }
    })
  ],
  [
    'counts revocations from one',
    /^revocations > revoke: gives versions that grow and are never below the clock/,
    (good) => {
      let version = 0
      return {
        revoke: async (subject, until) => {
          await good.revoke(subject, until)
          version += 1
          return version
        }
      }
    }
  ],
  [
    'gives the clock for a version',
    /^revocations > revoke: many at the same moment get versions that differ/,
    (good) => ({
      revoke: async (subject, until) => {
        const now = Date.now()
        await good.revoke(subject, until)
        return now
      }
    })
  ],
  [
    'keeps a revocation for as long as the last one says',
    /^revocations > revoke: never shortens/,
    (good) => {
      const ends = new Map<string, Date>()
      return {
        revoke: (subject, until) => {
          ends.set(subject, until)
          return good.revoke(subject, until)
        },
        getRevocations: async (subjects) =>
          (await good.getRevocations(subjects)).map((found) => ({
            ...found,
            until: ends.get(found.subject) ?? found.until
          }))
      }
    }
  ],
  [
    'tells the version of nobody when it writes a record',
    /^revocations > putSessionRecord: may tell the version/,
    (good) => ({
      putSessionRecord: async (record) => {
        await good.putSessionRecord(record)
        return { userVersion: 0 }
      }
    })
  ],
  [
    'tells the version that it has seen a while ago',
    /^revocations > putSessionRecord: tells a revocation that was noted before/,
    (good) => {
      const seen = new Map<string, unknown>()
      return {
        putSessionRecord: async (record) => {
          const answer = await good.putSessionRecord(record)
          if (!seen.has(record.userId)) seen.set(record.userId, answer)
          return seen.get(record.userId)
        }
      }
    }
  ],
  [
    'lists the newest revocations first',
    /^revocations > listRevocations: gives those since a moment/,
    (good) => ({ listRevocations: async (since, most) => [...(await good.listRevocations(since, most))].reverse() })
  ],
  [
    'lists revocations after a moment, and not those of it',
    /^revocations > listRevocations: gives those since a moment/,
    (good) => ({ listRevocations: (since, most) => good.listRevocations(new Date(since.getTime() + 1), most) })
  ],
  [
    'gives the revocations of everybody',
    /^revocations > getRevocations: gives those of the subjects/,
    (good) => ({ getRevocations: () => good.listRevocations(new Date(0), 1000) })
  ],
  [
    'makes the calls of a batch one by one',
    /^batches > atomically: undoes the first/,
    (good) => ({
      atomically: async (calls) => {
        for (const call of calls) if (!(await good.atomically([call]))) return false
        return true
      }
    })
  ],
  [
    'leaves out what follows a missing token, and keeps the rest',
    /^batches > atomically: does nothing where a one-time token is not there/,
    (good) => ({
      atomically: async (calls) => {
        for (const call of calls) if (!(await good.atomically([call]))) return false
        return true
      }
    })
  ],
  [
    'does not look whether the token was there',
    /^batches > atomically: of many who use one token, one signs in/,
    (good) => ({
      atomically: async (calls) =>
        (await good.atomically(calls)) ||
        good.atomically(calls.filter(({ method }) => method !== 'useVerificationToken'))
    })
  ],
  [
    'hides why a batch has failed',
    /^batches > atomically: tells of an address and of an account/,
    (good) => ({
      atomically: async (calls) => {
        try {
          return await good.atomically(calls)
        } catch {
          throw new Error('the batch has failed')
        }
      }
    })
  ],
  [
    'deletes everything that has ended at once',
    /^expiry > deleteExpired: deletes what has ended, some at a time/,
    (good) => ({ deleteExpired: (before) => good.deleteExpired(before, 1000) })
  ],
  [
    'deletes what ends at that moment',
    /^expiry > deleteExpired: leaves what ends at that moment/,
    (good) => ({ deleteExpired: (before, most) => good.deleteExpired(new Date(before.getTime() + 1), most) })
  ],
  [
    'deletes what has not ended',
    /^expiry > deleteExpired: deletes what has ended/,
    (good) => ({ deleteExpired: (_, most) => good.deleteExpired(new Date(4102444799999), most) })
  ],
  ['lets everyone in at once', /^leases > withLease: lets one in/, () => ({ withLease: (_, work) => work() })],
  [
    'does not end the lease of failed work',
    /^leases > withLease: is over when the work has failed/,
    () => {
      const held = new Set<string>()
      return {
        withLease: async (name, work) => {
          if (held.has(name)) throw new Error('the lease is held')
          held.add(name)
          const result = await work()
          held.delete(name)
          return result
        }
      }
    }
  ]
]

async function failuresOf(open: () => Adapter): Promise<readonly string[]> {
  const recorder = createRecorder()
  await testAdapter(recorder, open, { callers: 4 })
  return recorder.failures
}

t.test('an adapter that keeps the contract passes', async (t) => {
  t.same(await failuresOf(memoryAdapter), [])
})

for (const [fault, found, breakIt] of faults) {
  t.test(`an adapter that ${fault} is found out`, async (t) => {
    const failures = await failuresOf(() => {
      const good = memoryAdapter()
      return { ...good, ...breakIt(good) }
    })
    t.ok(
      failures.some((path) => found.test(path)),
      'by the case that is about it',
      { failures }
    )
  })
}

t.test('an adapter that lacks one of the fourteen methods is found out', async (t) => {
  const failures = await failuresOf(() => {
    const { getUserByAccount, ...rest } = memoryAdapter()
    return rest
  })
  t.ok(failures.includes('accounts'))
})

t.test('optional methods that are missing are named, and do not fail', async (t) => {
  const recorder = createRecorder()
  await testAdapter(recorder, () => {
    const { createUserWithAccount, updateAccount, getAccounts, getVerificationToken, ...some } = memoryAdapter()
    const { listSessions, deleteSessions, withLease, close, atomically, deleteExpired, ...others } = some
    const { putSessionRecord, getSessionRecords, deleteSessionRecord, ...rest } = others
    const { revoke, getRevocations, listRevocations, ...fourteen } = rest
    return fourteen
  })
  t.same(recorder.failures, [])
  const names = recorder.comments.map((comment) => comment.split(' ').at(-1))
  t.same([...new Set(names)].sort(), [
    'atomically',
    'createUserWithAccount',
    'deleteExpired',
    'deleteSessionRecord',
    'deleteSessions',
    'getAccounts',
    'getRevocations',
    'getSessionRecords',
    'getVerificationToken',
    'listRevocations',
    'listSessions',
    'putSessionRecord',
    'revoke',
    'updateAccount',
    'withLease'
  ])
})

t.test('a store may say that it refuses NUL, and has to refuse it then', async (t) => {
  const kept = createRecorder()
  await testAdapter(kept, memoryAdapter, { nul: 'refused' })
  t.same(kept.failures, ['odd texts > NUL is kept to the byte, or refused'])

  const hasNul = (row: object): boolean => Object.values(row).some((value) => `${value}`.includes('\0'))
  const refusing = (keptOf: (account: AdapterAccount) => typeof account) => (): Adapter => {
    const good = memoryAdapter()
    return {
      ...good,
      createUser: async (user) => {
        if (hasNul(user)) throw new Error('a text must not hold NUL')
        return good.createUser(user)
      },
      linkAccount: async (account) => good.linkAccount(hasNul(account) ? keptOf(account) : account)
    }
  }
  const ways = {
    'refuses the account': () => {
      throw new Error('a token must not hold NUL')
    },
    'leaves the token out': ({ userId, provider, providerAccountId, type }) => ({
      userId,
      provider,
      providerAccountId,
      type
    }),
    'cuts the token': (account) => ({ ...account, scope: account.scope?.split('\0')[0] ?? null })
  } satisfies Record<string, Parameters<typeof refusing>[0]>
  for (const [way, keptOf] of Object.entries(ways)) {
    const told = createRecorder()
    await testAdapter(told, refusing(keptOf), { nul: 'refused' })
    t.same(told.failures, way.startsWith('cuts') ? ['odd texts > NUL is kept to the byte, or refused'] : [], way)
  }
})

t.test('a store may say that it chooses the ids', async (t) => {
  const open = (): Adapter => {
    const good = memoryAdapter()
    return { ...good, createUser: ({ id, ...user }) => good.createUser(user) }
  }
  const [given, own] = [createRecorder(), createRecorder()]
  await testAdapter(given, open)
  await testAdapter(own, open, { ids: 'own' })
  t.same(given.failures, ['users > a user keeps the id that was asked for'])
  t.same(own.failures, [])
})

t.test('each suite gets a store of its own, and closes it', async (t) => {
  const calls = { opened: 0, closed: 0 }
  const recorder = createRecorder()
  const open = async (): Promise<Adapter> => {
    calls.opened += 1
    return {
      ...memoryAdapter(),
      close: () => {
        calls.closed += 1
      }
    }
  }
  await testAdapter(recorder, open)
  t.equal(calls.closed, calls.opened)
  t.ok(calls.opened > 1)
  t.ok(recorder.assertions() > 400)
})
