import { createRandom } from '@postern/testkit'
import { createWorld, isIn, type Strategy, starts } from '@postern/testkit/access-model'
import { chooseStep } from './choose-step.ts'
import { type Choose, createOwnAuthenticator, type Ground, type Step, toId } from './ground.ts'
import { findSession, type Played, readToken, type Scene } from './scene.ts'
import { addressOf, admin } from './sign-ins.ts'
import type { Route, Stage } from './stage.ts'
import { probe, UnknownOutcome, Visitor } from './visitor.ts'

/** What a step did, as far as its responses say. */
type Reply = 'done' | 'refused' | 'silent' | 'unknown'

interface Taken {
  readonly step: Step
  readonly route: Route
  readonly reply: Reply
  readonly error: unknown
  /** The session of the browser, before and afterwards. */
  readonly before: string | null
  readonly after: string | null
}

/** What may have happened: the model after it, and the sessions of new cookies. */
interface Candidate {
  readonly scene: Scene
  readonly played: ReadonlyMap<Step, Played>
}

export interface WalkOptions {
  readonly seed: number
  readonly steps: number
  /** Of so many steps, one happens beside another. */
  readonly pairsOneIn?: number
  /** Of so many steps, one loses a connection. */
  readonly cutsOneIn?: number
  /** Of so many steps, one kills its process. */
  readonly killsOneIn?: number
  /** Called after every thousand steps. */
  readonly onThousand?: (steps: number) => void
}

/** How often a step was done. */
interface Count {
  done: number
  refused: number
  unknown: number
}

export interface Walked {
  /** What is wrong, and the last steps; `null` if nothing is. */
  readonly violation: { readonly reason: string; readonly trace: readonly string[] } | null
  readonly steps: number
  readonly counts: ReadonlyMap<string, Count>
  readonly pairs: number
  readonly cuts: number
  readonly kills: number
  readonly probes: number
}

class Violation extends Error {}

/** What the store says of Ada. */
interface Observed {
  readonly user: string
  readonly version: number
  readonly sessionsFrom: number
  readonly isDeletionWaiting: boolean
}

/** A number of 32 bits of a source of bytes. */
function createChoose(seed: number): Choose {
  const random = createRandom(seed)
  return (count) => random(4).reduce((sum, byte) => sum * 256 + byte, 0) % count
}

/** What the model says of Ada, as a text. */
function describeUser({ world }: Scene): string {
  const { ada } = world.users
  if (!ada) return 'nobody'
  const { address, isProven, accounts, password, factors } = ada
  const about = { address, isProven, accounts: accounts.toSorted(), hasPassword: password !== null }
  return JSON.stringify({ ...about, factors: factors.length, isSuspended: world.rows.ada?.isSuspended ?? false })
}

/** Whether a change of the address waits in the model. */
const hasWaitingChange = ({ world }: Scene): boolean =>
  world.tokens.some(({ kind, isStored, isOver }) => kind === 'address change' && isStored && !isOver)

const maxValues = 9
const maxTokens = 40
/** The steps before a violation that are shown. */
const kept = 60

export class Walk {
  readonly #stage: Stage
  readonly #ground: Ground
  readonly #options: WalkOptions
  readonly #trace: string[] = []
  readonly #counts = new Map<string, Count>()
  #pairs = 0
  #isPair = false
  #cuts = 0
  #kills = 0
  #probes = 0
  #observed: Observed = { user: 'nobody', version: 0, sessionsFrom: 0, isDeletionWaiting: false }

  constructor(stage: Stage, ground: Ground, options: WalkOptions) {
    this.#stage = stage
    this.#ground = ground
    this.#options = options
  }

  async run(): Promise<Walked> {
    let steps = 0
    let violation: Walked['violation'] = null
    try {
      for (; steps < this.#options.steps; steps++) {
        if (steps > 0 && steps % 1000 === 0) this.#options.onThousand?.(steps)
        await this.#step()
      }
    } catch (error) {
      const reason = error instanceof Violation ? error.message : String(error instanceof Error ? error.stack : error)
      violation = { reason, trace: this.#trace.slice(-kept) }
    }
    return {
      ...{ violation, steps, counts: this.#counts },
      ...{ pairs: this.#pairs, cuts: this.#cuts, kills: this.#kills, probes: this.#probes }
    }
  }

  #isTurn(oneIn: number | undefined): boolean {
    return oneIn !== undefined && this.#ground.choose(oneIn) === 0
  }

  async #step(): Promise<void> {
    const { choose, stage } = this.#ground
    stage.clock.advance(1 + choose(20))
    this.#forget()
    const { cutsOneIn, killsOneIn, pairsOneIn } = this.#options
    const step = chooseStep(this.#ground)
    if (this.#isTurn(pairsOneIn)) return this.#takePair(step)
    if (stage.proxy && this.#isTurn(cutsOneIn)) return this.#judge([await this.#takeCut(step)], true)
    if (stage.child && step.visitor && this.#isTurn(killsOneIn))
      return this.#judge([await this.#takeKilled(step)], true)
    const route = choose(2) === 0 ? 'one' : 'other'
    return this.#judge([await this.#take(step, route)], false)
  }

  /** Takes two steps at once. */
  async #takePair(step: Step): Promise<void> {
    const other = chooseStep(this.#ground, step)
    this.#pairs++
    this.#isPair = true
    const both = await Promise.all([this.#take(step, 'one'), this.#take(other, 'other')])
    this.#isPair = false
    await this.#judge(both, false)
  }

  async #takeCut(step: Step): Promise<Taken> {
    const { proxy } = this.#stage
    const before = proxy?.lost() ?? 0
    proxy?.loseAnswer(1 + this.#ground.choose(14))
    const taken = await this.#take(step, 'other')
    proxy?.loseAnswer(0)
    this.#cuts += (proxy?.lost() ?? 0) - before
    return taken
  }

  /** Takes a step in a process that is killed at one of its statements, or before one of its writes. */
  async #takeKilled(step: Step): Promise<Taken> {
    const { choose, stage } = this.#ground
    const child = await stage.child?.()
    if (!child) throw new Error('expected a process')
    let isKilled = false
    const kill = async (): Promise<void> => {
      isKilled = true
      await child.kill()
    }
    const { childProxy } = stage
    const headers: Record<string, string> = childProxy ? {} : { 'x-hold-at': String(choose(4)) }
    const held = childProxy ? childProxy.holdAnswer(1 + choose(14)) : child.nextHeld()
    void held.then(kill, () => undefined)
    const taken = await this.#take(step, 'child', headers)
    void childProxy?.holdAnswer(0)
    if (isKilled) this.#kills++
    return taken
  }

  async #take(step: Step, route: Route, headers: Readonly<Record<string, string>> = {}): Promise<Taken> {
    const { visitor } = step
    const before = visitor?.session ?? null
    if (visitor) Object.assign(visitor, { route, headers })
    let reply: Reply = 'unknown'
    let error: unknown = null
    try {
      const result = await step.run(route)
      reply = result === 'silent' ? 'silent' : result ? 'done' : 'refused'
    } catch (thrown) {
      error = thrown
      reply = getReply(thrown)
    }
    if (visitor) Object.assign(visitor, { route: 'one', headers: {} })
    this.#trace.push(
      `${this.#isPair ? '+ ' : ''}${visitor ? `${visitor.name} ` : ''}${step.label}: ${reply}, at ${route}`
    )
    return { step, route, reply, error, before, after: visitor?.session ?? null }
  }

  /** Compares what a step, or two at once, did with what the model allows. */
  async #judge(taken: readonly Taken[], hasFault: boolean): Promise<void> {
    const isPair = taken.length > 1
    for (const { reply, error, step } of taken)
      if (reply === 'unknown' && !hasFault) throw new Violation(`${step.label} failed without a fault: ${error}`)
    const { scene } = this.#ground
    const [first] = taken
    if (!hasFault && !isPair && first?.reply === 'refused' && first.step.isRequired && first.step.apply(scene))
      throw new Violation(`${first.step.label} was refused`)
    const candidates = orders(taken).flatMap((order) => follow(scene, order, isPair))
    // What one process revokes counts in the others within a second.
    this.#stage.clock.advance(1)
    const observed = await this.#observe()
    const signedIn = await this.#probeAll(taken)
    const reasons = new Set<string>()
    const matching = candidates.filter((candidate) => {
      const reason = this.#findMismatch(candidate, taken, { observed, signedIn })
      if (reason !== null) reasons.add(reason)
      return reason === null
    })
    const chosen = matching.length > 1 ? await this.#choose(matching, observed) : matching[0]
    if (!chosen) {
      const steps = taken.map(({ step, reply }) => `${step.label}: ${reply}`).join(' | ')
      const why = reasons.size > 0 ? [...reasons].join(' | ') : `the model refuses it: ${describeUser(scene)}`
      throw new Violation(`${steps}: ${why}`)
    }
    this.#adopt(chosen, taken, observed)
  }

  /** Chooses one of what may have happened, which sessions and the user do not tell apart. What differs nevertheless is not used again. */
  async #choose(matching: readonly Candidate[], observed: Observed): Promise<Candidate | undefined> {
    const isChangeWaiting = await this.#isWaiting('account.email-waiting')
    const byRow = matching.filter((candidate) => this.#isRowAsIn(candidate, observed))
    const left = byRow.length > 0 ? byRow : matching
    const byTickets = left.filter(({ scene }) => hasWaitingChange(scene) === isChangeWaiting)
    const [first, ...others] = byTickets.length > 0 ? byTickets : left
    for (const other of others) if (first) this.#forgetDifferences(first, other)
    return first
  }

  /** Whether something of Ada waits in the store. */
  async #isWaiting(kind: string): Promise<boolean> {
    const listed = (await this.#stage.adapter.listDueTickets?.(kind, new Date('2999-01-01'), 100)) ?? []
    return listed.some(({ userId }) => userId === this.#ground.adaId)
  }

  /** Forgets links and pending sign-ins that were used in one of two scenes only. */
  #forgetDifferences({ scene }: Candidate, { scene: other }: Candidate): void {
    const { links, visitors } = this.#ground
    for (const { id, isStored } of [...scene.world.tokens, ...other.world.tokens]) {
      if (readToken(scene, id)?.isStored === isStored && readToken(other, id)?.isStored === isStored) continue
      links.delete(id)
      for (const visitor of visitors) if (visitor.pending === id) visitor.pending = null
    }
  }

  /** Whether the version, and the last end of all sessions, have changed as in the model. */
  #isRowAsIn({ scene }: Candidate, { version, sessionsFrom }: Observed): boolean {
    const [before, after] = [this.#ground.scene.world.rows.ada, scene.world.rows.ada]
    const isRaised = (after?.sessionsFrom ?? 0) !== (before?.sessionsFrom ?? 0)
    const isAdvanced = (after?.version ?? 0) !== (before?.version ?? 0)
    return (
      isRaised === (sessionsFrom !== this.#observed.sessionsFrom) && isAdvanced === (version !== this.#observed.version)
    )
  }

  /** Reads what the store has of Ada. */
  async #observe(): Promise<Observed> {
    const { adapter } = this.#stage
    const ground = this.#ground
    const known = ground.adaId === null ? null : ((await adapter.getUser?.(ground.adaId)) ?? null)
    const addresses = new Set(['ada0@example.com', addressOf(ground)])
    let user = known
    for (const address of addresses) user ??= (await adapter.getUserByEmail?.(address)) ?? null
    const row = (await adapter.getUserVersion?.(user?.id ?? ground.adaId ?? 'nobody')) ?? null
    const { version = 0, sessionsFrom = 0 } = row ?? {}
    if (!user) return { user: 'nobody', version, sessionsFrom, isDeletionWaiting: false }
    ground.adaId = user.id
    const isDeletionWaiting = await this.#isWaiting('account.deletion')
    const [accounts, factors] = await Promise.all([adapter.getAccounts?.(user.id), adapter.listFactors?.(user.id)])
    const count = (type: RegExp): number => factors?.filter((each) => type.test(each.type)).length ?? 0
    const about = {
      ...{ address: user.email, isProven: Boolean(user.emailVerified) },
      accounts: accounts?.map(({ provider }) => provider).toSorted(),
      hasPassword: count(/^password/) > 0
    }
    const isSuspended = Boolean(row?.suspendedAt)
    const text = JSON.stringify({ ...about, factors: count(/totp|^passkey/), isSuspended })
    const ways = (accounts?.length ?? 0) + count(/^password|^passkey/) + (user.emailVerified ? 1 : 0)
    if (ways === 0) throw new Violation(`the user has no way in: ${text}`)
    return { user: text, version, sessionsFrom, isDeletionWaiting }
  }

  /** Reads the session of each cookie that was one, at the instance that has not taken the step; now and then at both. */
  async #probeAll(taken: readonly Taken[]): Promise<ReadonlyMap<string, readonly (string | null)[]>> {
    const values = new Set(this.#ground.keysOf.keys())
    for (const { before, after } of taken) if (after !== null && after !== before) values.add(after)
    const results = new Map<string, readonly (string | null)[]>()
    const others = (['one', 'other'] as const).filter((route) => taken.some((each) => each.route !== route))
    const routes = this.#ground.choose(10) === 0 ? (['one', 'other'] as const) : others
    await Promise.all(
      [...values].map(async (value) => {
        const found = await Promise.all(routes.map((route) => probe(this.#stage, route, value)))
        results.set(value, found)
        this.#probes += routes.length
      })
    )
    return results
  }

  /** Why a candidate did not happen. */
  #findMismatch(
    candidate: Candidate,
    taken: readonly Taken[],
    {
      observed,
      signedIn
    }: { readonly observed: Observed; readonly signedIn: ReadonlyMap<string, readonly (string | null)[]> }
  ): string | null {
    const { scene } = candidate
    const expected = describeUser(scene)
    if (expected !== observed.user) return `the store has ${observed.user}, the model ${expected}`
    if ((scene.deletion !== null) !== observed.isDeletionWaiting)
      return `a deletion ${scene.deletion === null ? 'waits in the store only' : 'does not wait in the store'}`
    const keys = this.#bind(candidate, taken)
    if (typeof keys === 'string') return keys
    for (const [value, found] of signedIn) {
      const key = keys.get(value) ?? null
      const session = findSession(scene, key)
      const isAlive = session !== null && isIn(scene.world, session) && !this.#isOver(session.id)
      const wanted = isAlive ? (session.user === 'ada' ? this.#ground.adaId : this.#ground.adminId) : null
      if (found.some((id) => id !== wanted))
        return `session ${key} ${isAlive ? 'is alive' : 'has ended'} in the model, and signs in as ${found.join(' and ')}`
    }
    return null
  }

  /** The sessions of all cookies, with those of new ones. @returns What is wrong with the new ones, otherwise. */
  #bind({ played }: Candidate, taken: readonly Taken[]): ReadonlyMap<string, string> | string {
    const { keysOf } = this.#ground
    const keys = new Map(keysOf)
    for (const { step, reply, before, after } of taken) {
      const isNew = after !== null && after !== before
      const issued = played.get(step)?.issued ?? null
      if (!isNew && issued !== null && reply === 'done') return `${step.label} has issued no token`
      if (!isNew) continue
      const kept = step.isRenewal ? (keysOf.get(before ?? '') ?? null) : null
      const key = issued ?? kept
      if (key === null) return `${step.label} has issued a session that the model has not`
      keys.set(after, key)
    }
    return keys
  }

  #adopt(candidate: Candidate, taken: readonly Taken[], observed: Observed): void {
    const ground = this.#ground
    const keys = this.#bind(candidate, taken)
    if (typeof keys === 'string') throw new Violation(keys)
    for (const [value, key] of keys) ground.keysOf.set(value, key)
    ground.scene = candidate.scene
    this.#observed = observed
    for (const { step, reply } of taken) {
      const played = candidate.played.get(step)
      if (played) step.adopt?.(played)
      const name = step.label.replaceAll(/\d+(\.\w*)?/g, '#').replace(/(of browser|for pending).*/, '…')
      const count = this.#counts.get(name) ?? { done: 0, refused: 0, unknown: 0 }
      count[reply === 'unknown' ? 'unknown' : played ? 'done' : 'refused'] += 1
      this.#counts.set(name, count)
    }
  }

  /** Whether the time of a session is over. */
  #isOver(id: string): boolean {
    const { ends, stage } = this.#ground
    return (ends.get(id) ?? Number.POSITIVE_INFINITY) <= stage.clock.now()
  }

  /** Forgets what has ended by itself, and the oldest of what ended otherwise. */
  #forget(): void {
    const ground = this.#ground
    const { keysOf, scene } = ground
    for (const [value, key] of keysOf) if (this.#isOver(toId(key))) keysOf.delete(value)
    const alive = (key: string): boolean => {
      const session = findSession(scene, key)
      return session !== null && isIn(scene.world, session)
    }
    const held = new Set(ground.visitors.map((visitor) => visitor.session))
    const rest = [...keysOf].toSorted(([value, key], [other, otherKey]) => {
      const rank = (one: string, of: string): number => (alive(of) ? 0 : held.has(one) ? 1 : 2)
      return rank(value, key) - rank(other, otherKey)
    })
    const isAdmin = (value: string): boolean => value === ground.admin.session
    const forgotten = new Set(rest.slice(maxValues).flatMap(([value]) => (isAdmin(value) ? [] : [value])))
    for (const value of forgotten) keysOf.delete(value)
    for (const visitor of ground.visitors) if (forgotten.has(visitor.session ?? '')) visitor.forgetSession()
    const kept = new Set(keysOf.values())
    const { world } = scene
    ground.scene = {
      ...scene,
      world: {
        ...world,
        sessions: world.sessions.filter(({ id, token }) => kept.has(`${id}:${token}`)),
        tokens: world.tokens.slice(-maxTokens)
      }
    }
  }
}

/** What an error says about the outcome. */
function getReply(error: unknown): Reply {
  if (error instanceof UnknownOutcome) return 'unknown'
  const code = error instanceof Error ? Reflect.get(error, 'code') : null
  if (code === 'StoreUnavailable') return 'unknown'
  if (typeof code === 'string' && error instanceof Error && /^(Auth|Account|SignIn)Error$/.test(error.name))
    return 'refused'
  throw error
}

/** The orders of steps that happened at once. */
function orders(taken: readonly Taken[]): readonly (readonly Taken[])[] {
  return taken.length < 2 ? [taken] : [taken, taken.toReversed()]
}

/** What the model may be after steps in this order. */
function follow(scene: Scene, order: readonly Taken[], isPair: boolean): readonly Candidate[] {
  let candidates: readonly Candidate[] = [{ scene, played: new Map() }]
  for (const { step, reply } of order) {
    candidates = candidates.flatMap((candidate) => {
      if (reply === 'refused') return [candidate]
      const played = step.apply(candidate.scene)
      const beside = isPair ? step.applyBeside?.(candidate.scene) : null
      const after = [played, beside].flatMap((each) =>
        each ? [{ scene: each.scene, played: new Map([...candidate.played, [step, each]]) }] : []
      )
      if (reply === 'done') return isPair && step.isMailedFirst ? [...after, candidate] : after
      if (reply === 'unknown' || isPair || !played) return [...after, candidate]
      return after
    })
  }
  return candidates
}

/** A walk on a stage: an administrator is there, and Ada is not. */
export async function startWalk(stage: Stage, strategy: Strategy, options: WalkOptions): Promise<Walk> {
  const nobody = starts.find(({ user, row }) => user === null && row === null)
  if (!nobody) throw new Error('expected a start without a user')
  const choose = createChoose(options.seed)
  const world = createWorld(nobody, strategy, [])
  const visitor = new Visitor('the administrator', stage)
  await visitor.post('/password/sign-up', { email: admin.address, password: admin.password })
  const token = new URL(stage.mailbox.last().url).searchParams.get('token') ?? ''
  await visitor.post('/callback/password-sign-up', { token })
  const adminId = (await stage.adapter.getUserByEmail?.(admin.address))?.id ?? ''
  if (adminId === '' || visitor.session === null) throw new Error('expected an administrator')
  await visitor.post('/signout')
  const ground: Ground = {
    ...{ stage, choose, scene: { world, deletion: null }, adaId: null, adminId, admin: visitor },
    visitors: ['first', 'second', 'third'].map((name) => new Visitor(`the ${name} browser`, stage)),
    authenticator: createOwnAuthenticator(),
    ...{ keysOf: new Map(), keys: new Map(), passkeys: new Map(), passwords: new Set(), links: new Map() },
    ...{ addresses: new Map(), authenticated: new Map(), ends: new Map(), startedFrom: new Map(), count: 0 }
  }
  return new Walk(stage, ground, options)
}
