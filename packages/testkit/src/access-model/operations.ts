import { levelOf, type Plan, type Session, type Token, type TokenKind, type User, type UserId } from './world.ts'

/** What an operation reads after the row. What has ended or was used is null. */
export interface View {
  readonly process: string
  readonly user: User | null
  readonly actor: Session | null
  readonly token: Token | null
}

/** What must have ended when an operation has committed, whatever the operation writes. */
export type Promised = 'nothing' | 'everything' | `account ${string}` | `session ${string}`

export interface Operation {
  readonly name: string
  /** Whose rows it demands, in the order of their ids. The first is the user whom it is about. */
  readonly users: readonly UserId[]
  /** The session that asks for it: that of the process, or that of the administrator. */
  readonly actor: 'own' | 'admin' | null
  readonly token: TokenKind | null
  readonly promised: Promised
  /** Waiting things that must have ended too. */
  readonly drops: readonly TokenKind[]
  /** Whether its form names the user only by `authorize`. */
  readonly isAuthorized: boolean
  /** What the application writes by itself before. */
  readonly ownWrite: Partial<User> | null
  /** The plan of a call that reads nothing: a forced one. */
  readonly plan: Plan | null
  /** Returns null if the operation is refused. */
  readonly decide: (view: View) => Plan | null
}

const nothing: Plan = {
  mode: 'demand',
  user: 'keep',
  set: {},
  ends: 'nothing',
  level: null,
  proof: '',
  isReissued: false,
  consumes: false,
  puts: null,
  drops: [],
  suspends: null,
  requiresAddress: null
}

/** What writes nothing in a transaction: a renewal, and an operation that has not decided yet. */
export const noPlan: Plan = { ...nothing, mode: 'no transaction' }

const demand = (changes: Partial<Plan>): Plan => ({ ...nothing, ...changes })
const advance = (changes: Partial<Plan>): Plan => ({ ...nothing, ...changes, mode: 'advance' })

function operation(name: string, about: Partial<Operation>, decide: Operation['decide']): Operation {
  const defaults = {
    users: ['ada'],
    actor: null,
    token: null,
    promised: 'nothing',
    drops: [],
    isAuthorized: false
  } as const
  return { name, ...defaults, ownWrite: null, plan: null, ...about, decide }
}

/** A sign-in, or the pending sign-in of a user who has to give a factor. */
function signIn(user: User, proof: string, changes: Partial<Plan> = {}): Plan {
  if (levelOf(user) > 1) return demand({ ...changes, proof, puts: 'pending sign-in' })
  return demand({ ...changes, proof, level: 1 })
}

type Change = (user: User, actor: Session, view: View) => Partial<Plan> | null

/** A change by a session, which is given a new token. It needs the highest level that the user has. */
function change(name: string, about: Partial<Operation>, decide: Change): Operation {
  return operation(name, { ...about, actor: 'own' }, (view) => {
    const { user, actor } = view
    if (!user || !actor || actor.level < levelOf(user)) return null
    const changes = decide(user, actor, view)
    const { level, proof } = actor
    return changes && advance({ level, proof, isReissued: true, drops: about.drops ?? [], ...changes })
  })
}

/** A call that demands nothing, so that no other operation can keep it from happening. */
function force(name: string, about: Partial<Operation>, changes: Partial<Plan>): Operation {
  const plan: Plan = { ...nothing, drops: about.drops ?? [], ...changes, mode: 'forced' }
  return operation(name, { ...about, plan }, () => plan)
}

/** Waiting things that do not end by `sessionsFrom`. */
const allTokens: readonly TokenKind[] = ['mailed link', 'invitation', 'address change']
const everything = { promised: 'everything' } as const
const everythingAndTokens = { ...everything, drops: allTokens } as const

const ada: User = { address: 'ada@one', isProven: true, accounts: ['google'], password: null, factors: [] }

const signIns: readonly Operation[] = [
  operation('sign in by account', {}, ({ user }) =>
    user?.accounts.includes('github') ? signIn(user, 'github') : null
  ),
  operation('sign in by password', {}, ({ user }) => (user?.password === 'p1' ? signIn(user, 'password') : null)),
  operation('sign in by authorize', { isAuthorized: true }, ({ user }) => user && signIn(user, 'password')),
  operation('sign in by mailed link', { token: 'mailed link' }, ({ user, token }) =>
    user?.isProven && token?.address === user.address ? signIn(user, 'mailbox', { consumes: true }) : null
  ),
  operation('accept an invitation', { token: 'invitation' }, ({ user, token }) =>
    user && token?.address === user.address ? signIn(user, 'mailbox', { consumes: true }) : null
  ),
  operation('finish a pending sign-in', { token: 'pending sign-in' }, ({ user, token }) =>
    user && token && user.factors.length > 0 ? demand({ consumes: true, level: 2, proof: token.proof }) : null
  ),
  operation('sign in by trusted browser', { token: 'trusted browser' }, ({ user, token }) => {
    const isTrusted = token && token.password === user?.password && user.factors.some((id) => id === token.factor)
    return isTrusted && user.password === 'p1' ? demand({ level: 2, proof: 'password' }) : null
  }),
  operation('sign in for the first time', {}, ({ user }) =>
    user ? null : demand({ user: 'create', set: ada, level: 1, proof: 'google' })
  ),
  operation('join by a proven address', {}, ({ user }) =>
    user?.isProven && !user.accounts.includes('google')
      ? { ...signIn(user, 'google', { set: { accounts: [...user.accounts, 'google'] } }), mode: 'advance' }
      : null
  ),
  operation('verify the address at a sign-in', {}, ({ user }) =>
    user && !user.isProven && user.accounts.includes('github') && levelOf(user) === 1
      ? advance({ set: { isProven: true }, level: 1, proof: 'github' })
      : null
  ),
  operation('reclaim', everythingAndTokens, ({ user }) =>
    user && !user.isProven
      ? advance({ ends: 'everything', set: ada, level: 1, proof: 'google', drops: allTokens })
      : null
  ),
  operation('impersonate', { users: ['ada', 'admin'], actor: 'admin' }, ({ user, actor }) =>
    user && actor ? demand({ level: 2, proof: 'impersonation' }) : null
  ),
  operation('renew a session', { actor: 'own' }, ({ actor }) => actor && noPlan)
]

const credentials: readonly Operation[] = [
  change('link an account', {}, (user) => ({ set: { accounts: [...new Set([...user.accounts, 'google'])] } })),
  change('add a factor', {}, (user, _, { process }) =>
    user.factors.length > 0 ? { set: { factors: [...user.factors, `factor of ${process}`] } } : null
  ),
  change('add the first factor', everything, (user, _, { process }) =>
    user.factors.length === 0 ? { ends: 'everything', set: { factors: [`factor of ${process}`] }, level: 2 } : null
  ),
  change('remove a factor', everything, (user) =>
    user.factors.length > 0 ? { ends: 'everything', set: { factors: user.factors.slice(1) } } : null
  ),
  change('unlink an account', { promised: 'account github' }, (user) =>
    user.accounts.includes('github')
      ? { ends: 'everything', set: { accounts: user.accounts.filter((account) => account !== 'github') } }
      : null
  ),
  change('remove the password', everything, (user) =>
    user.password === null ? null : { ends: 'everything', set: { password: null } }
  ),
  change('change the password', everything, (user, _, { process }) =>
    user.password === 'p1' ? { ends: 'everything', set: { password: `password of ${process}` } } : null
  ),
  operation('ask for a reset', {}, ({ user }) => user && demand({ puts: 'reset link' })),
  operation(
    'reset the password',
    { ...everything, token: 'reset link', drops: ['invitation', 'address change'] },
    ({ user, token, process }) =>
      user && token?.address === user.address && token.password === user.password
        ? advance({
            consumes: true,
            ends: 'everything',
            set: { password: `password of ${process}` },
            drops: ['invitation', 'address change']
          })
        : null
  )
]

const addresses: readonly Operation[] = [
  operation('invite', {}, ({ user }) => user && demand({ puts: 'invitation' })),
  operation('ask for a mailed link', {}, ({ user }) => user && demand({ puts: 'mailed link' })),
  change('change the address', everythingAndTokens, ({ address }, _, { process }) => ({
    ends: 'everything',
    set: { address: `address of ${process}`, isProven: true },
    requiresAddress: address
  })),
  operation('ask for a change of the address', { actor: 'own' }, ({ user, actor }) =>
    user && actor ? demand({ puts: 'address change' }) : null
  ),
  operation(
    'change the address when due',
    { ...everythingAndTokens, token: 'address change' },
    ({ user, token, process }) =>
      user && token?.address === user.address
        ? advance({
            consumes: true,
            ends: 'everything',
            set: { address: `address of ${process}`, isProven: true },
            requiresAddress: token.address,
            drops: allTokens
          })
        : null
  ),
  operation('cancel the change of the address', { token: 'address change' }, ({ token }) =>
    token ? demand({ consumes: true }) : null
  ),
  force('write an address and call users.changed', { ownWrite: { address: 'ada@application' } }, {})
]

const ends: readonly Operation[] = [
  force('sign out', { promised: 'session s1' }, { ends: 'session s1' }),
  force('end a session of the list', { promised: 'session s2' }, { ends: 'session s2' }),
  change('end the other sessions', everything, () => ({ ends: 'everything' })),
  force('end all sessions', everything, { ends: 'everything' }),
  force('end all sessions of the administrator', { ...everything, users: ['admin'] }, { ends: 'everything' }),
  force('receive a logout token for a subject', everything, { ends: 'everything' }),
  force('suspend', everythingAndTokens, { ends: 'everything', suspends: true }),
  force('resume', {}, { suspends: false }),
  force('delete the user', everythingAndTokens, { ends: 'everything', user: 'delete', suspends: false }),
  change('delete the own account', everythingAndTokens, () => ({
    ends: 'everything',
    user: 'delete',
    level: null,
    isReissued: false
  }))
]

/** The table of what each operation does. */
export const operations: readonly Operation[] = [...signIns, ...credentials, ...addresses, ...ends]

const byName = new Map(operations.map((each) => [each.name, each]))

/** @throws {Error} For a name that is not in the table. */
export function findOperation(name: string): Operation {
  const found = byName.get(name)
  if (!found) throw new Error(`no operation ${name}`)
  return found
}
