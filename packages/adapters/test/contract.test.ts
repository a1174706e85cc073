import type { AccountEvidence, Adapter, AdapterAccount, AdapterSession } from '@postern/core'
import { isLong } from '@postern/testkit/long'
import t from 'tap'
import { testAdapter } from '../src/contract/index.ts'
import { memoryAdapter } from '../src/memory/index.ts'
import { createRecorder } from './recorder.ts'

type Memory = ReturnType<typeof memoryAdapter>

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))
const fold = (text: string): string => text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase().trimEnd()
const toSecond = (date: Date): Date => new Date(Math.floor(date.getTime() / 1000) * 1000)

/** Stores evidence again after an account was unlinked. */
const keepEvidence = (good: Memory, unlink: Memory['unlinkAccount']): Partial<Memory> => {
  const evidence: AccountEvidence[] = []
  return {
    putAccountEvidence: async (one) => {
      evidence.push(one)
      await good.putAccountEvidence(one)
    },
    unlinkAccount: async (key) => {
      await unlink(key)
      for (const one of evidence) await good.putAccountEvidence(one)
    }
  }
}

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
    'orders users by the time of their creation',
    /^lists of users > listUsers: orders users by id/,
    (good) => {
      const all: string[] = []
      return {
        createUser: async (user) => {
          const created = await good.createUser(user)
          all.push(created.id)
          return created
        },
        listUsers: async ({ after, limit }) => {
          const ids = all.slice(after === null ? 0 : all.indexOf(after) + 1)
          const users = await Promise.all(ids.map((id) => good.getUser(id)))
          return users.flatMap((user) => user ?? []).slice(0, limit)
        }
      }
    }
  ],
  [
    'reads pages by their number of users',
    /^lists of users > listUsers: (continues after a user who was deleted|users who are created meanwhile)/,
    (good) => {
      let last: readonly string[] = []
      return {
        listUsers: async ({ after, limit }) => {
          if (after === null) last = []
          const all = await good.listUsers({ after: null, limit: 1_000_000 })
          const page = all.slice(after === null ? 0 : Math.max(last.indexOf(after) + 1, 0)).slice(0, limit)
          last = all.map(({ id }) => id)
          return page
        }
      }
    }
  ],
  [
    'returns one user more than a page has',
    /^lists of users > listUsers: pages return each user once/,
    (good) => ({ listUsers: ({ after, limit }) => good.listUsers({ after, limit: limit + 1 }) })
  ],
  [
    'moves an account to the last user who links it',
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
    'answers an update of no one',
    /^users > updating no one fails/,
    (good) => ({
      updateUser: async (user) => {
        const existing = await good.getUser(user.id)
        return existing ? good.updateUser(user) : { email: null, emailVerified: null, ...user }
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
    /^users > deleting a user/,
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
    'lists the sessions of all users',
    /^sessions > listSessions: returns all sessions of that user/,
    (good) => {
      const visitors = new Set<string>()
      return {
        createSession: (session) => {
          visitors.add(session.userId)
          return good.createSession(session)
        },
        listSessions: async () => (await Promise.all([...visitors].map((id) => good.listSessions(id)))).flat()
      }
    }
  ],
  [
    'ignores the limit of a list of sessions',
    /^limits of sessions > listSessions: a limit selects/,
    (good) => ({ listSessions: (userId) => good.listSessions(userId) })
  ],
  [
    'lists the sessions that expire first',
    /^limits of sessions > listSessions: a limit selects/,
    (good) => ({
      listSessions: async (userId, limit) => {
        const sessions = await good.listSessions(userId)
        return sessions.toSorted((one, other) => Number(one.expires) - Number(other.expires)).slice(0, limit)
      }
    })
  ],
  [
    'selects sessions by the expiry that they were created with',
    /^limits of sessions > listSessions: a session that was extended/,
    (good) => {
      const ends = new Map<string, number>()
      const getEnd = ({ sessionToken }: AdapterSession): number => ends.get(sessionToken) ?? 0
      return {
        createSession: (session, record) => {
          ends.set(session.sessionToken, session.expires.getTime())
          return good.createSession(session, record)
        },
        listSessions: async (userId, limit) => {
          const sessions = await good.listSessions(userId)
          return sessions.toSorted((one, other) => getEnd(other) - getEnd(one)).slice(0, limit)
        }
      }
    }
  ],
  [
    'ignores the limit of a list of records',
    /^limits of sessions > getSessionRecords: a limit selects/,
    (good) => ({
      getSessionRecords: (query) => good.getSessionRecords('userId' in query ? { userId: query.userId } : query)
    })
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
    /^accounts > updateAccount: writes only if/,
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
    /^session records > putSessionRecord: writes a record, and replaces it/,
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
    'takes the records of all users along',
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
    /^ends of session records > getSessionRecords: deleting a user deletes/,
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
    /^revocations > revoke: returns versions that grow and are never below the clock/,
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
    'ignores the version that is named',
    /^revocations > revoke: records the version that is named/,
    (good) => ({ revoke: (subject, until) => good.revoke(subject, until) })
  ],
  [
    'keeps a revocation until the last given time',
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
    'lists the newest revocations first',
    /^revocations > listRevocations: returns those since a moment/,
    (good) => ({ listRevocations: async (since, limit) => [...(await good.listRevocations(since, limit))].reverse() })
  ],
  [
    'lists revocations after a moment, and not those of it',
    /^revocations > listRevocations: returns those since a moment/,
    (good) => ({ listRevocations: (since, limit) => good.listRevocations(new Date(since.getTime() + 1), limit) })
  ],
  [
    'gives the revocations of all users',
    /^revocations > getRevocations: returns those of the subjects/,
    (good) => ({ getRevocations: () => good.listRevocations(new Date(0), 1000) })
  ],
  [
    'makes the calls of a batch one by one',
    /^batches > transact: rolls back the first/,
    (good) => ({
      transact: async (calls) => {
        for (const call of calls) if (!(await good.transact([call]))) return false
        return true
      }
    })
  ],
  [
    'leaves out what follows a missing token, and keeps the rest',
    /^batches > transact: does nothing if a one-time token is not there/,
    (good) => ({
      transact: async (calls) => {
        for (const call of calls) if (!(await good.transact([call]))) return false
        return true
      }
    })
  ],
  [
    'does not look whether the token was there',
    /^batches > transact: of many who use one token, one signs in/,
    (good) => ({
      transact: async (calls) =>
        (await good.transact(calls)) || good.transact(calls.filter(({ method }) => method !== 'useVerificationToken'))
    })
  ],
  [
    'hides why a batch has failed',
    /^batches > transact: reports that an address or an account/,
    (good) => ({
      transact: async (calls) => {
        try {
          return await good.transact(calls)
        } catch {
          throw new Error('the batch has failed')
        }
      }
    })
  ],
  [
    'reads a ticket, and deletes it later',
    /^races for tickets > consumeTicket: of many callers, one receives the ticket$/,
    (good) => ({
      consumeTicket: async (key) => {
        const found = await good.readTicket(key)
        await turn()
        await good.consumeTicket(key)
        return found
      }
    })
  ],
  [
    'counts attempts by reading and writing',
    /^races for tickets > countTry: many callers receive different counts$/,
    (good) => ({
      countTry: async (key) => {
        const found = await good.readTicket(key)
        await turn()
        if (!found) return null
        await good.consumeTicket(key)
        await good.createTicket({ ...found, tries: found.tries + 1 })
        return found.tries + 1
      }
    })
  ],
  [
    'hides expired tickets',
    /^tickets > readTicket: returns a ticket as it was stored$/,
    (good) => ({
      readTicket: async (key) => {
        const found = await good.readTicket(key)
        return found && found.expires.getTime() < Date.now() ? null : found
      }
    })
  ],
  [
    'finds tickets by kind and id separately',
    /^tickets > readTickets: returns the tickets that exist, each once$/,
    (good) => ({
      readTickets: async (keys) => good.readTickets(keys.flatMap(({ kind }) => keys.map(({ id }) => ({ kind, id }))))
    })
  ],
  [
    'returns a ticket for each time that its key is given',
    /^tickets > readTickets: returns the tickets that exist, each once$/,
    (good) => ({
      readTickets: async (keys) =>
        (await Promise.all(keys.map((key) => good.readTicket(key)))).flatMap((found) => found ?? [])
    })
  ],
  [
    'replaces a ticket of the same key',
    /^tickets > createTicket: refuses a pair that exists/,
    (good) => ({
      createTicket: async (ticket) => {
        await good.consumeTicket(ticket)
        return good.createTicket(ticket)
      }
    })
  ],
  [
    'takes ids of tickets for equal that differ in case',
    /^tickets > createTicket: compares keys exactly$/,
    (good) => ({
      createTicket: (ticket) => good.createTicket({ ...ticket, id: fold(ticket.id) }),
      readTicket: (key) => good.readTicket({ ...key, id: fold(key.id) }),
      consumeTicket: (key) => good.consumeTicket({ ...key, id: fold(key.id) })
    })
  ],
  [
    'deletes tickets of every kind',
    /^tickets > deleteTickets: deletes the tickets of a user, of one kind or all$/,
    (good) => ({ deleteTickets: (userId) => good.deleteTickets(userId) })
  ],
  [
    'keeps the tickets of a user who is deleted',
    /^tickets > createTicket: deleting a user deletes their tickets$/,
    (good) => ({ createTicket: (ticket) => good.createTicket({ ...ticket, userId: null }) })
  ],
  [
    'does not look whether the ticket was there',
    /^batches with tickets > transact: does nothing if a ticket no longer exists$/,
    (good) => ({
      transact: async (calls) =>
        (await good.transact(calls)) || good.transact(calls.filter(({ method }) => method !== 'consumeTicket'))
    })
  ],
  [
    'reads a factor, and writes it later',
    /^races for factors > updateFactor: of many who expect one version, one writes$/,
    (good) => ({
      updateFactor: async (factor, expectedVersion) => {
        const found = await good.getFactor(factor)
        await turn()
        if (found?.version !== expectedVersion || found.userId !== factor.userId) return false
        const { version } = (await good.getFactor(factor)) ?? found
        return good.updateFactor(factor, version)
      }
    })
  ],
  [
    'reads a factor, and deletes it later',
    /^races for factors > deleteFactor: of many callers, one deletes the factor$/,
    (good) => ({
      deleteFactor: async (key) => {
        const found = await good.getFactor(key)
        await turn()
        await good.deleteFactor(key)
        return found !== null
      }
    })
  ],
  [
    'does not look at the version of a factor',
    /^factors > updateFactor: writes if the version is the expected one$/,
    (good) => ({
      updateFactor: async (factor) => good.updateFactor(factor, (await good.getFactor(factor))?.version ?? 0)
    })
  ],
  [
    'updates the factors of other users',
    /^factors > updateFactor: changes no factor of another user/,
    (good) => ({
      updateFactor: async (factor, expectedVersion) => {
        const { userId } = (await good.getFactor(factor)) ?? factor
        return good.updateFactor({ ...factor, userId }, expectedVersion)
      }
    })
  ],
  [
    'takes ids of factors for equal that differ in case',
    /^factors > createFactor: compares keys exactly$/,
    (good) => ({
      createFactor: (factor) => good.createFactor({ ...factor, id: fold(factor.id) }),
      getFactor: (key) => good.getFactor({ ...key, id: fold(key.id) })
    })
  ],
  [
    'lists the newest factors first',
    /^factors > listFactors: returns the factors of a user/,
    (good) => ({ listFactors: async (userId, type) => [...(await good.listFactors(userId, type))].reverse() })
  ],
  [
    'lists factors of every type',
    /^factors > listFactors: returns the factors of a user/,
    (good) => ({ listFactors: (userId) => good.listFactors(userId) })
  ],
  [
    'keeps the factors of a user who is deleted',
    /^factors > createFactor: deleting a user deletes their factors$/,
    (good) => ({
      deleteUser: async (id) => {
        const stored = await good.listFactors(id)
        await good.deleteUser(id)
        for (const factor of stored) await good.createFactor(factor)
      }
    })
  ],
  [
    'commits a transaction although a factor has another version',
    /^batches with factors > transact: does nothing if a factor has another version or no longer exists$/,
    (good) => ({
      transact: async (calls) =>
        (await good.transact(calls)) || good.transact(calls.filter(({ method }) => method !== 'updateFactor'))
    })
  ],
  [
    'adds events one by one',
    /^events > addEvents: stores all events or none$/,
    (good) => ({
      addEvents: async (events) => {
        for (const event of events) await good.addEvents([event])
      }
    })
  ],
  [
    'keeps the seconds of events',
    /^events > addEvents: stores events as they are$/,
    (good) => ({
      addEvents: (events) => good.addEvents(events.map((event) => ({ ...event, time: toSecond(event.time) })))
    })
  ],
  [
    'lists the oldest events first',
    /^events > listEvents: selects by user and type, the newest first$/,
    (good) => ({ listEvents: async (query) => [...(await good.listEvents(query))].reverse() })
  ],
  [
    'loses events of one moment between two pages',
    /^events > listEvents: pages return each event once, even of one moment$/,
    (good) => ({
      listEvents: ({ before, ...query }) =>
        good.listEvents({ ...query, before: before && { time: before.time, id: '' } })
    })
  ],
  [
    'deletes the newest events first',
    /^events > deleteEvents: deletes old events, the oldest first and some at a time$/,
    (good) => ({
      deleteEvents: async (before, limit) => {
        const all = await good.listEvents({ limit: 1000 })
        const old = all.filter(({ time }) => time < before)
        await good.deleteEvents(before, 1000)
        await good.addEvents(old.slice(limit))
        return Math.min(old.length, limit)
      }
    })
  ],
  [
    'deletes events that have ended, as if they were sessions',
    /^events > deleteExpired: leaves events and factors$/,
    (good) => ({
      deleteExpired: async (before, limit) => {
        await good.deleteEvents(before, limit)
        return good.deleteExpired(before, limit)
      }
    })
  ],
  [
    'keeps the first evidence of an account',
    /^evidence of accounts > putAccountEvidence: replaces evidence of the same account$/,
    (good) => {
      const knownIds = new Set<string>()
      return {
        putAccountEvidence: async (evidence) => {
          const key = `${evidence.provider} ${evidence.providerAccountId}`
          if (knownIds.has(key)) return
          knownIds.add(key)
          await good.putAccountEvidence(evidence)
        }
      }
    }
  ],
  [
    'takes accounts for equal that differ in case, where their evidence is stored',
    /^evidence of accounts > putAccountEvidence: compares keys exactly$/,
    (good) => ({
      putAccountEvidence: (evidence) =>
        good.putAccountEvidence({ ...evidence, providerAccountId: fold(evidence.providerAccountId) })
    })
  ],
  [
    'keeps the evidence of an account that is unlinked',
    /^evidence of accounts > getAccountEvidence: unlinking an account deletes its evidence$/,
    (good) => keepEvidence(good, (key) => good.unlinkAccount(key))
  ],
  [
    'deletes expired tickets, and evidence with them',
    /^expiry > deleteExpired: deletes expired tickets, never evidence$/,
    (good) => {
      const evidence: AccountEvidence[] = []
      return {
        putAccountEvidence: async (one) => void evidence.push(one),
        getAccountEvidence: async (userId) => evidence.filter((one) => one.userId === userId),
        deleteExpired: async (before, limit) => {
          const from = evidence.length
          evidence.splice(0, from, ...evidence.filter(({ verifiedAt }) => verifiedAt >= before))
          return (await good.deleteExpired(before, limit)) + from - evidence.length
        }
      }
    }
  ],
  [
    'deletes everything that has ended at once',
    /^expiry > deleteExpired: deletes expired rows, in batches/,
    (good) => ({ deleteExpired: (before) => good.deleteExpired(before, 1000) })
  ],
  [
    'deletes what ends at that moment',
    /^expiry > deleteExpired: leaves what ends at that moment/,
    (good) => ({ deleteExpired: (before, limit) => good.deleteExpired(new Date(before.getTime() + 1), limit) })
  ],
  [
    'deletes what has not ended',
    /^expiry > deleteExpired: deletes expired rows, in/,
    (good) => ({ deleteExpired: (_, limit) => good.deleteExpired(new Date(4102444799999), limit) })
  ],
  ['runs all work at once', /^leases > withLease: runs one at a time/, () => ({ withLease: (_, work) => work() })],
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

/** @param suite - The only suite that runs; all of them run without it. */
async function getFailures(open: () => Adapter, suite?: string): Promise<readonly string[]> {
  const recorder = createRecorder(suite)
  await testAdapter(recorder, open, { callers: 4 })
  return recorder.failures
}

t.test('an adapter that keeps the contract passes', async (t) => {
  t.same(await getFailures(memoryAdapter), [])
})

for (const [fault, found, breakAdapter] of faults) {
  t.test(`an adapter that ${fault} is found out`, async (t) => {
    const failures = await getFailures(
      () => {
        const good = memoryAdapter()
        return { ...good, ...breakAdapter(good) }
      },
      isLong ? undefined : /^\^([\w ]+) > /.exec(found.source)?.[1]
    )
    t.ok(
      failures.some((path) => found.test(path)),
      'by the case that is about it',
      { failures }
    )
  })
}

t.test('an adapter that lacks one of the fourteen methods is found out', async (t) => {
  const failures = await getFailures(() => {
    const { getUserByAccount, ...rest } = memoryAdapter()
    return rest
  })
  t.ok(failures.includes('accounts'))
})

t.test('optional methods that are missing are named, and do not fail', async (t) => {
  const recorder = createRecorder()
  await testAdapter(recorder, () => {
    const { createUserWithAccount, updateAccount, getAccounts, getVerificationToken, ...some } = memoryAdapter()
    const { listSessions, deleteSessions, withLease, close, transact, deleteExpired, ...others } = some
    const { putSessionRecord, getSessionRecords, deleteSessionRecord, ...rest } = others
    const { revoke, getRevocations, listRevocations, putAccountEvidence, getAccountEvidence, ...few } = rest
    const { createTicket, readTicket, readTickets, countTry, consumeTicket, deleteTickets, ...fewer } = few
    const { createFactor, getFactor, listFactors, updateFactor, deleteFactor, ...min } = fewer
    const { addEvents, listEvents, deleteEvents, ...fourteen } = min
    return fourteen
  })
  t.same(recorder.failures, [])
  const names = recorder.comments.map((comment) => comment.split(' ').at(-1))
  t.same([...new Set(names)].sort(), [
    'addEvents',
    'consumeTicket',
    'countTry',
    'createFactor',
    'createTicket',
    'createUserWithAccount',
    'deleteEvents',
    'deleteExpired',
    'deleteFactor',
    'deleteSessionRecord',
    'deleteSessions',
    'deleteTickets',
    'getAccountEvidence',
    'getAccounts',
    'getFactor',
    'getRevocations',
    'getSessionRecords',
    'getVerificationToken',
    'listEvents',
    'listFactors',
    'listRevocations',
    'listSessions',
    'putAccountEvidence',
    'putSessionRecord',
    'readTicket',
    'readTickets',
    'revoke',
    'transact',
    'updateAccount',
    'updateFactor',
    'withLease'
  ])
})

t.test('a store may say that it ignores the limit of a list of sessions', async (t) => {
  const open = (): Adapter => {
    const good = memoryAdapter()
    return {
      ...good,
      listSessions: (userId) => good.listSessions(userId),
      getSessionRecords: (query) => good.getSessionRecords('userId' in query ? { userId: query.userId } : query)
    }
  }
  const ignored = createRecorder()
  await testAdapter(ignored, open, { limit: 'ignored' })
  t.same(ignored.failures, [])
  const applied = createRecorder()
  await testAdapter(applied, memoryAdapter, { limit: 'ignored' })
  t.same(applied.failures, [
    'limits of sessions > listSessions: a limit selects the sessions that expire last',
    'limits of sessions > getSessionRecords: a limit selects the records that expire last'
  ])
})

t.test('a store may say that it refuses NUL, and has to refuse it then', async (t) => {
  const stored = createRecorder()
  await testAdapter(stored, memoryAdapter, { nul: 'refused' })
  t.same(stored.failures, ['odd texts > NUL is kept to the byte, or refused'])

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
  const methods = {
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
  for (const [method, keptOf] of Object.entries(methods)) {
    const reported = createRecorder()
    await testAdapter(reported, refusing(keptOf), { nul: 'refused' })
    t.same(
      reported.failures,
      method.startsWith('cuts') ? ['odd texts > NUL is kept to the byte, or refused'] : [],
      method
    )
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
  t.same(given.failures, ['users > a user keeps the id that was requested'])
  t.same(own.failures, [])
})

t.test('each suite gets a separate store, and closes it', async (t) => {
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
