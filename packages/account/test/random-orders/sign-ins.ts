import type { BrowserResponse } from '@postern/testkit'
import { sessionKey, type Token, type User } from '@postern/testkit/access-model'
import { createApp } from '../second-factor-application.ts'
import type { RequestOptions } from '../software-authenticator.ts'
import { type Provider, providers } from './application.ts'
import {
  findLink,
  findToken,
  type Ground,
  getUser,
  isAsked,
  keyOf,
  note,
  one,
  playAuthorized,
  playSignIn,
  playTrusted,
  playUnsuspended,
  replaceSession,
  type Step,
  toId
} from './ground.ts'
import { isImpersonating, isSignedIn, mapTokens, type Played, play, readToken, type Scene } from './scene.ts'
import type { Visitor } from './visitor.ts'

/** What a browser got from a sign-in. */
interface Got {
  hasSession: boolean
  isPending: boolean
}

/** Whether a sign-in got a session, or a pending sign-in. */
async function watch(visitor: Visitor, got: Got, send: () => Promise<BrowserResponse>): Promise<boolean> {
  const before = visitor.session
  const { location } = await send()
  got.hasSession = visitor.session !== null && visitor.session !== before
  got.isPending = !got.hasSession && (location?.includes('/api/auth/verify') ?? false)
  return got.hasSession || got.isPending
}

interface SignIn {
  readonly label: string
  readonly send: () => Promise<BrowserResponse>
  /** What it does in the model, where a trusted browser is asked for a second factor. */
  readonly plays: (scene: Scene) => Played | null
  readonly isRequired?: boolean
  /** Whether two factors were given. */
  readonly isComplete?: boolean
}

/** A sign-in of a browser, whose session it replaces. */
function signIn(
  ground: Ground,
  visitor: Visitor,
  { label, send, plays, isRequired = false, isComplete = false }: SignIn
): Step {
  const got: Got = { hasSession: false, isPending: false }
  const before = keyOf(ground, visitor)
  const apply = (scene: Scene, isBeside: boolean): Played | null => {
    // An administrator who acts as a user signs out first.
    if (isImpersonating(scene, before)) return null
    const allowed = plays(scene)
    const trusted = allowed?.put && got.hasSession ? playTrusted(scene, visitor.trust) : null
    const played = trusted ?? allowed
    return played && replaceSession(played, before, isBeside)
  }
  return {
    ...{ label, visitor, isRequired },
    // Two factors leave nothing to wait for.
    run: async () => (await watch(visitor, got, send)) && (got.hasSession || !isComplete),
    apply: (scene) => apply(scene, false),
    applyBeside: (scene) => (before === null || isSignedIn(scene, before) ? null : apply(scene, true)),
    adopt: ({ issued, put }) => {
      if (put && got.isPending) visitor.pending = put
      if (issued) note(ground, issued, isComplete)
    }
  }
}

/** The address that Ada has, or that she comes back with. */
export const addressOf = (ground: Ground): string => getUser(ground)?.address ?? 'ada0@example.com'

export function byPassword(ground: Ground, visitor: Visitor): Step {
  const current = getUser(ground)?.password ?? null
  const isOld = current === null || ground.choose(4) === 0
  const typed = isOld && ground.passwords.size > 0 ? one(ground, [...ground.passwords]) : (current ?? 'nothing at all')
  const fields = { email: addressOf(ground), password: typed }
  return signIn(ground, visitor, {
    label: typed === current ? 'signs in with the password' : 'signs in with an old password',
    send: () => visitor.post('/callback/password', fields),
    plays: (scene) => playSignIn(scene, (from) => play(from, 'sign in by password', { password: typed })),
    isRequired: true
  })
}

interface IssuerVisit {
  readonly provider: Provider
  /** The address that the issuer states. */
  readonly email: string
  readonly fields?: Readonly<Record<string, string>>
}

/** Goes to the issuer and back. */
async function visitIssuer(
  { stage }: Ground,
  visitor: Visitor,
  { provider, email, fields = {} }: IssuerVisit
): Promise<BrowserResponse> {
  const started = await visitor.post(`/signin/${provider}`, fields)
  if (!started.location?.startsWith(stage.issuer.issuer)) return started
  const callback = await stage.issuer.authorize(started.location, { sub: 'ada', name: 'Ada', email })
  return visitor.open(callback)
}

/** What a sign-in by an account does, which depends on what the user has. */
function playAccount(scene: Scene, provider: Provider, email: string): Played | null {
  const { ada } = scene.world.users
  if (!ada) {
    const user = { address: email, isProven: provider !== 'bare', accounts: [provider] }
    const made = { account: provider, address: user.address }
    return play(scene, 'sign in for the first time', { made, user: (created) => ({ ...created, ...user }) })
  }
  if (!ada.accounts.includes(provider)) return ada.address === email ? joinByAddress(scene, provider) : null
  const isVerifying = !ada.isProven && provider !== 'bare'
  return play(scene, isVerifying ? 'verify the address at a sign-in' : 'sign in by account', { provider })
}

/** The proof of a pending sign-in that joins an account. */
const joining = 'joins by '

/** Joins by the address, or by an invitation, which ends. Before a second factor, nothing is joined. */
function joinByAddress(scene: Scene, provider: Provider, isPending = false): Played | null {
  const { ada } = scene.world.users
  const invitation = scene.world.tokens.find(
    ({ kind, address, isStored, isOver }) => kind === 'invitation' && address === ada?.address && isStored && !isOver
  )
  const isInvited = invitation !== undefined && provider !== 'bare'
  if (ada && !ada.isProven && isInvited) return playReclaim(scene, provider)
  if (!ada?.isProven || !(isInvited || provider === 'hub')) return null
  if (isAsked(scene) && !isPending) {
    const begun = playAuthorized(scene)
    const mark = (token: Token): Token => (token.id === begun?.put ? { ...token, proof: joining + provider } : token)
    return begun && { ...begun, scene: mapTokens(begun.scene, mark) }
  }
  const joined = play(scene, 'join by a proven address', { made: { account: provider } })
  const end = (id: string | null): Scene =>
    joined ? mapTokens(joined.scene, (token) => (token.id === id ? { ...token, isStored: false } : token)) : scene
  // A provider that links by the address needs no invitation, and leaves it.
  return joined && { ...joined, scene: end(provider === 'hub' ? null : (invitation?.id ?? null)) }
}

export function byAccount(ground: Ground, visitor: Visitor, provider: Provider): Step {
  const email = addressOf(ground)
  const isKnown = getUser(ground)?.accounts.includes(provider) ?? false
  const step = signIn(ground, visitor, {
    label: `signs in at ${provider}`,
    send: () => visitIssuer(ground, visitor, { provider, email }),
    plays: (scene) => playSignIn(scene, (from) => playAccount(from, provider, email)),
    isRequired: isKnown
  })
  return { ...step, isAboutAddress: !isKnown }
}

/** Connects an account in a session. */
export function link(ground: Ground, visitor: Visitor, provider: Provider): Step {
  const actor = keyOf(ground, visitor)
  const email = addressOf(ground)
  return {
    label: `connects ${provider}`,
    isAboutAddress: true,
    visitor,
    run: async () => {
      const before = visitor.session
      const { location } = await visitIssuer(ground, visitor, { provider, email, fields: { link: 'true' } })
      // It waits for a second factor, in place of the sign-in that has waited before.
      if (location?.includes('/api/auth/verify')) visitor.pending = null
      return visitor.session !== before && !location?.includes('error')
    },
    apply: (scene) =>
      isSignedIn(scene, actor)
        ? play(scene, 'link an account', { actor, made: { account: provider } })
        : // The session has ended since the start: a user who comes back from the provider signs in.
          playSignIn(scene, (from) => playAccount(from, provider, email))
  }
}

/** Asks for a mailed link. */
export function askForLink(ground: Ground, visitor: Visitor): Step {
  const to = addressOf(ground)
  let url = ''
  return {
    label: 'asks for a mailed link',
    visitor,
    run: async () => {
      const since = ground.stage.mailbox.mails.length
      await visitor.post('/signin/email', { email: to })
      url = (await findLink(ground, since, to, '/callback/email')) ?? ''
      return url !== ''
    },
    // The answer is the same for a suspended user.
    apply: (scene) => playUnsuspended(scene, (from) => play(from, 'ask for a mailed link')),
    adopt: ({ put }) => void (put && ground.links.set(put, url))
  }
}

/** What a mailed link does: it reclaims a user whose address was never proven. */
function playLink(scene: Scene, id: string): Played | null {
  const token = readToken(scene, id)
  const { ada } = scene.world.users
  if (!token || !ada || ada.isProven)
    return playSignIn(scene, (from) => play(from, 'sign in by mailed link', { token: id }))
  const isValid = token.isStored && !token.isOver && token.address === ada.address
  const played = isValid ? playReclaim(scene, null) : null
  const use = (each: Token): Token => (each.id === id ? { ...each, isStored: false } : each)
  return played && { ...played, scene: mapTokens(played.scene, use) }
}

/** Somebody proves the address first, and gets the user with what has proven it before. */
function playReclaim(scene: Scene, provider: Provider | null): Played | null {
  const reclaim = (user: User): User => {
    const accounts = scene.world.users.ada?.accounts.filter((account) => account !== 'bare') ?? []
    const address = scene.world.users.ada?.address ?? user.address
    return { address, isProven: true, accounts: [...accounts, provider ?? []].flat(), password: null, factors: [] }
  }
  return play(scene, 'reclaim', { user: reclaim })
}

export function openLink(ground: Ground, visitor: Visitor, id: string): Step {
  return signIn(ground, visitor, {
    label: `opens ${id}`,
    send: async () => {
      const response = await visitor.open(ground.links.get(id)?.replace('https://app.test', '') ?? '/')
      if (response.status !== 200 || !response.body.includes('<form')) return response
      return visitor.fill(response)
    },
    plays: (scene) => playLink(scene, id)
  })
}

/** The first passkey that is still one of the user's, or one that was removed. */
export function byPasskey(ground: Ground, visitor: Visitor): Step {
  const factor = one(ground, [...ground.passkeys.keys()])
  return signIn(ground, visitor, {
    label: `signs in with ${factor}`,
    send: async () => {
      const options = await visitor.json<RequestOptions>('/passkey/options')
      const credential = options ? ground.authenticator.get(options, {}, ground.passkeys.get(factor)) : ''
      return visitor.post('/callback/passkey', { credential })
    },
    plays: (scene) => {
      if (!scene.world.users.ada?.factors.includes(factor)) return null
      // It is a pending sign-in that is complete at once.
      const begun = playAuthorized(scene)
      return begun && play(begun.scene, 'finish a pending sign-in', { token: begun.put })
    },
    isRequired: true,
    isComplete: true
  })
}

/** Completes a pending sign-in, and joins the account that waits for it. */
function playFinish(scene: Scene, id: string | null): Played | null {
  const token = readToken(scene, id)
  const { ada } = scene.world.users
  const finished = play(scene, 'finish a pending sign-in', { token: id })
  const provider = providers.find((each) => token?.proof === joining + each)
  if (!finished || !ada || provider === undefined || ada.accounts.includes(provider)) return finished
  const joined = joinByAddress(finished.scene, provider, true)
  // What the model makes of a user with two factors is another pending sign-in, which does not exist.
  return (
    joined && {
      ...finished,
      scene: mapTokens(joined.scene, (each) => (each.id === joined.put ? { ...each, isStored: false } : each))
    }
  )
}

/** Completes the pending sign-in of a browser with a factor. */
export function finish(ground: Ground, visitor: Visitor, isTrusting: boolean): Step {
  const factors = getUser(ground)?.factors ?? []
  const factor = factors.length > 0 ? one(ground, factors) : 'no factor'
  const id = visitor.pending
  const key = ground.keys.get(factor)
  const step = signIn(ground, visitor, {
    label: `gives ${factor} for ${id}`,
    send: async () => {
      const trust: Record<string, string> = isTrusting ? { trust: 'yes' } : {}
      ground.stage.clock.advance(31)
      if (key !== undefined)
        return visitor.post('/verify/factor', { code: createApp(key, ground.stage.clock.now).code(), ...trust })
      const page = await visitor.json<{ props?: { passkeyOptions?: RequestOptions | null } }>('/verify/factor')
      const options = page?.props?.passkeyOptions
      const passkey = ground.passkeys.get(factor)
      const credential = options && passkey ? ground.authenticator.get(options, {}, passkey) : ''
      return visitor.post('/verify/factor', { credential, ...trust })
    },
    plays: (scene) => playFinish(scene, id),
    isComplete: true
  })
  const before = visitor.trustValue
  return {
    ...step,
    adopt: (played) => {
      step.adopt?.(played)
      trustBrowser(ground, visitor, before)
    }
  }
}

/** Notes that a browser has become a trusted one, or that it is one still after a change. */
export function trustBrowser(ground: Ground, visitor: Visitor, before: string | null): void {
  const { world } = ground.scene
  const { ada } = world.users
  if (!ada || visitor.trustValue === null || visitor.trustValue === before) return
  const id = `trust ${++ground.count}`
  visitor.trust = id
  const about = { version: world.rows.ada?.version ?? 0, address: ada.address, password: ada.password, proof: '' }
  const is = { isStored: true, isHeld: true, isOver: false, isUsed: false }
  const token = { id, kind: 'trusted browser', factor: ada.factors[0] ?? null, ...about, ...is } as const
  ground.scene = { ...ground.scene, world: { ...world, tokens: [...world.tokens, token] } }
}

/** Signs up with a password, in an application that Ada has left. */
export function signUp(ground: Ground, visitor: Visitor): Step {
  const [address, password] = ['ada0@example.com', `the first password number ${++ground.count}`]
  const step = signIn(ground, visitor, {
    label: 'signs up with a password',
    send: async () => {
      const since = ground.stage.mailbox.mails.length
      await visitor.post('/password/sign-up', { email: address, password })
      const token = (await findToken(ground, since, address, '/callback/password-sign-up')) ?? ''
      return visitor.post('/callback/password-sign-up', { token })
    },
    plays: (scene) => {
      const user = { address, isProven: true, accounts: [], password, factors: [] }
      return play(scene, 'sign in for the first time', { made: { account: 'password' }, user: () => user })
    },
    isRequired: true
  })
  return { ...step, isAboutAddress: true }
}

/** The application signs Ada in. */
export function byApplication(ground: Ground, visitor: Visitor): Step {
  const got = { hasSession: false, isPending: false }
  const before = keyOf(ground, visitor)
  const { stage } = ground
  const apply = (scene: Scene, isBeside: boolean): Played | null => {
    if (isImpersonating(scene, before)) return null
    const allowed = playSignIn(scene, playAuthorized)
    const trusted = allowed?.put && got.hasSession ? playTrusted(scene, visitor.trust) : null
    const played = trusted ?? allowed
    return played && replaceSession(played, before, isBeside)
  }
  return {
    label: 'is signed in by the application',
    visitor,
    run: async (route) => {
      const auth = stage.auth[route === 'other' ? 'other' : 'one']
      const { kind, cookies } = await auth.signIn(visitor.createRequest(), ground.adaId ?? 'nobody', { amr: ['pwd'] })
      visitor.setCookies(auth, cookies)
      got.hasSession = kind === 'signed-in'
      got.isPending = kind === 'pending'
      return got.hasSession || got.isPending
    },
    apply: (scene) => apply(scene, false),
    applyBeside: (scene) => (before === null || isSignedIn(scene, before) ? null : apply(scene, true)),
    adopt: ({ issued, put }) => {
      if (put && got.isPending) visitor.pending = put
      if (issued) note(ground, issued, false)
    }
  }
}

/** The session gets another token, as an update of its data does. */
export function renew(ground: Ground, visitor: Visitor): Step {
  const actor = keyOf(ground, visitor)
  return {
    ...{ label: 'updates the session', visitor, isRenewal: true },
    run: async () => (await visitor.post('/session', { data: 'x' })).body.includes('"id"'),
    apply: (scene) => play(scene, 'renew a session', { actor })
  }
}

/** An administrator acts as Ada, in a browser with a copy of the session. */
export function impersonate(ground: Ground, visitor: Visitor): Step {
  const { stage } = ground
  const actor = keyOf(ground, visitor)
  return {
    label: 'impersonates',
    visitor,
    run: async (route) => {
      const auth = stage.auth[route === 'other' ? 'other' : 'one']
      const about = { reason: 'a test', expiresIn: 3600 }
      const { cookies } = await auth.users.impersonate(visitor.createRequest(), ground.adaId ?? 'nobody', about)
      visitor.setCookies(auth, cookies)
      return true
    },
    apply: (scene) => play(scene, 'impersonate', { actor }),
    adopt: ({ issued }) => {
      if (issued === null || actor === null) return
      ground.ends.set(toId(issued), stage.clock.now() + 3_600_000)
      ground.startedFrom.set(toId(issued), toId(actor))
    }
  }
}

export const admin = { address: 'admin@example.com', password: 'the password of the administrator' } as const

/** The administrator signs in, whom nothing else changes. */
export function signInAdmin(ground: Ground): Step {
  const visitor = ground.admin
  const id = `admin ${++ground.count}`
  return {
    label: 'the administrator signs in',
    visitor,
    isRequired: true,
    run: async () => {
      const before = visitor.session
      await visitor.post('/callback/password', { email: admin.address, password: admin.password })
      return visitor.session !== null && visitor.session !== before
    },
    apply: (scene) => {
      const { world } = scene
      const is = { isStored: true, isHeld: true, isOver: false, level: 1, proof: 'password' }
      const versions = { admin: world.rows.admin?.version ?? 0 }
      const session = { id, token: '0', user: 'admin', versions, ...is } as const
      return {
        scene: { ...scene, world: { ...world, sessions: [...world.sessions, session] } },
        issued: sessionKey(session),
        put: null
      }
    }
  }
}
