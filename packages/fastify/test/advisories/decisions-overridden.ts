import { randomUUID } from 'node:crypto'
import { memoryAdapter } from '@postern/adapters/memory'
import type { Profile, TokenSet } from '@postern/core'
import { cookieNames, getSession, signInAtIssuer, signInByMail, start } from '../start.ts'
import {
  createUser,
  email,
  getAccounts,
  getUser,
  isRefused,
  isVerified,
  key,
  mallory,
  someStrategies,
  victim
} from './linking-setup.ts'
import type { Replay } from './replay.ts'

const logoutEvent = 'http://schemas.openid.net/event/backchannel-logout'

/** Providers that decide about the address by more than the claims of the ID Token. */
const deciders: Readonly<Record<string, object>> = {
  'the profile function reads the access token': {
    profile: ({ sub, email }: Profile, { access_token }: TokenSet) => ({
      id: String(sub),
      email: String(email),
      emailVerified: access_token ? false : undefined
    })
  },
  'a hook changes the claims': {
    hooks: { afterProfile: (profile: Profile) => ({ ...profile, email_verified: false }) }
  },
  'the profile is userinfo, which claims the opposite': {
    idToken: false,
    userinfo: { request: () => ({ sub: mallory.sub, email, email_verified: false }) }
  },
  'the profile function reads a claim that only userinfo has': {
    idToken: false,
    userinfo: { request: () => ({ sub: mallory.sub, email, denied: true }) },
    profile: ({ sub, email, denied }: Profile) => ({
      id: String(sub),
      email: String(email),
      emailVerified: !denied
    })
  }
}

/** Decisions of a sign-in that something else overrides later. */
export const decisionsOverridden: readonly Replay[] = [
  [
    'V01',
    'the stored ID Token says that an address is verified, and the sign-in had decided otherwise',
    async (t) => {
      for (const [title, demo] of Object.entries(deciders)) {
        for (const strategy of someStrategies()) {
          const started = await start(t, { demo, session: { strategy }, instances: 1 })
          const attacker = started.newBrowser()
          await signInAtIssuer(started, attacker, { ...mallory, email })
          const { id = '' } = (await getUser(started)) ?? {}
          t.not(id, '', title)
          t.notOk(await isVerified(started, id), `${title}: the sign-in verified nothing`)
          await signInByMail(started, started.browser, email)
          t.same(await getAccounts(started, id), [], `${strategy}, ${title}: the account is removed`)
        }
      }
    }
  ],
  [
    'V02',
    'the signIn callback changes the address of the user: the statement about another address counts for it',
    async (t) => {
      for (const strategy of someStrategies()) {
        for (const allowDangerousEmailAccountLinking of [true, false]) {
          const callbacks = {
            signIn: ({ user, account }: { user: { email?: string | null }; account: { type: string } }) => {
              if (account.type !== 'email') user.email = email
              return true
            }
          }
          const demo = { allowDangerousEmailAccountLinking }
          const started = await start(t, { callbacks, demo, session: { strategy }, instances: 1 })
          const owned = await createUser(started, { emailVerified: new Date(0) })
          const attacker = started.newBrowser()
          t.ok(isRefused(await signInAtIssuer(started, attacker, mallory)), `${strategy}: no join`)
          t.same(await getAccounts(started, owned.id), [])
          const empty = await start(t, { callbacks, demo, session: { strategy }, instances: 1 })
          await signInAtIssuer(empty, empty.newBrowser(), mallory)
          const created = await getUser(empty)
          t.ok(created, 'the changed address is used, as in next-auth v4')
          t.notOk(created?.emailVerified, `${strategy}: and is not verified`)
        }
      }
    }
  ],
  [
    'V03',
    'a callback changes account.provider: the session outlives unlink',
    async (t) => {
      const change = ({ account }: { readonly account?: { provider: string } | null }): true => {
        if (account) account.provider = 'other'
        return true
      }
      const jwt = <T>({ token, account }: { token: T; account?: { provider: string } | null }): T => {
        change(account ? { account } : {})
        return token
      }
      for (const strategy of someStrategies()) {
        for (const location of ['signIn', 'remember', 'jwt'] as const) {
          const session = { strategy, ...(location === 'remember' ? { remember: change } : {}) }
          const callbacks = {
            ...(location === 'signIn' ? { signIn: change } : {}),
            ...(location === 'jwt' ? { jwt } : {})
          }
          const started = await start(t, { callbacks, session, instances: 1 })
          await signInAtIssuer(started, started.browser, victim)
          t.match(await getSession(started.browser), { user: { email } }, `${strategy}, ${location}: signed in`)
          const { id = '' } = (await started.adapter?.getUserByAccount?.(key('vera'))) ?? {}
          const byMail = started.newBrowser()
          await signInByMail(started, byMail, email)
          await started.app.postern.unlink(id, key('vera'))
          t.same(await getSession(started.browser), {}, `${strategy}, ${location}: ended`)
          t.same(await getSession(byMail), {}, 'as every other one')
        }
      }
    }
  ],
  [
    'V04',
    'back-channel logout by sub, where account ids come from another claim: another user is signed out',
    async (t) => {
      const profile = ({ user_id, email }: Profile) => ({ id: String(user_id), email: String(email) })
      for (const strategy of someStrategies()) {
        const started = await start(t, { demo: { profile }, session: { strategy }, instances: 1 })
        const { issuer, clock, newBrowser } = started
        const [named, other] = [newBrowser(), newBrowser()]
        await signInAtIssuer(started, named, { ...victim, user_id: 'U-1' })
        await signInAtIssuer(started, other, { ...mallory, user_id: 'vera' })
        const iat = Math.floor(clock.now() / 1000)
        const claims = { iss: issuer.issuer, aud: issuer.clientId, iat, exp: iat + 120, jti: randomUUID(), sub: 'vera' }
        const token = await issuer.sign({ ...claims, events: { [logoutEvent]: {} } }, { typ: 'logout+jwt' })
        const path = '/api/auth/backchannel-logout/demo'
        const { status } = await newBrowser().post(path, `${new URLSearchParams({ logout_token: token })}`)
        t.equal(status, 400, 'the provider learns that no user was signed out')
        t.match(await getSession(other), { user: {} }, `${strategy}: the other person stays`)
        t.match(started.log.join(''), /BACKCHANNEL_LOGOUT_ERROR/)
      }
    }
  ],
  [
    'V05',
    'a token that was stored plain, from a dump of the database, after the change to storage both',
    async (t) => {
      const adapter = memoryAdapter()
      const plain = await start(t, { adapter, session: { strategy: 'database', storage: 'plain' }, instances: 1 })
      await signInAtIssuer(plain, plain.browser, victim)
      const { id = '' } = (await getUser(plain)) ?? {}
      const [row] = await adapter.listSessions(id)
      const both = await start(t, { adapter, session: { strategy: 'database', storage: 'both' }, instances: 1 })
      const thief = both.newBrowser()
      thief.cookies.set(cookieNames.sessionToken, row?.sessionToken ?? '', { secure: true })
      t.same(await getSession(thief), {}, 'the token alone is refused')
      const owner = both.newBrowser()
      for (const name of [cookieNames.sessionToken, '__Secure-postern.session-proof'])
        owner.cookies.set(name, plain.browser.cookies.get(name) ?? '', { secure: true })
      t.match(await getSession(owner), { user: { email } }, 'the owner stays signed in')
    }
  ]
]
