import {
  idleProcess,
  isIn,
  perform,
  type Session,
  sessionKey,
  type Token,
  type User,
  type World
} from '@postern/testkit/access-model'

/** The model, in the words of the application: providers, passwords and addresses have their own names. */
export interface Scene {
  readonly world: World
  /** A deletion that waits: the address that may confirm it, and when it happens. */
  readonly deletion: { readonly id: string; readonly address: string } | null
}

/** What an operation writes: `account` is one that was not there. */
type Made = 'account' | 'password' | 'factor' | 'address'

/** What an operation of the model is about. */
export interface Play {
  /** The key of the session that asks for it. */
  readonly actor?: string | null
  readonly token?: string | null
  /** The id of the session that it ends. */
  readonly target?: string | null
  /** The provider of the account that it is about. */
  readonly provider?: string | null
  /** The password that it is about. */
  readonly password?: string | null
  /** What the operation writes, in place of the values of the model. */
  readonly made?: Partial<Record<Made, string>>
  /** What a user has after it, if that differs from the model's. */
  readonly user?: (user: User) => User
}

export interface Played {
  readonly scene: Scene
  /** The session that was issued. */
  readonly issued: string | null
  /** The waiting thing that was made. */
  readonly put: string | null
}

let plays = 0

/** Replaces texts everywhere in the world. */
function rename(world: World, names: ReadonlyMap<string, string>): World {
  return JSON.parse(JSON.stringify(world), (_, value) =>
    typeof value === 'string' ? (names.get(value) ?? value) : value
  )
}

const invert = (names: ReadonlyMap<string, string>): Map<string, string> =>
  new Map([...names].map(([name, other]) => [other, name]))

/** The names of the model for those of the application. */
function toModel({ target, provider, password }: Play): ReadonlyMap<string, string> {
  return new Map([
    ...(target ? [[target, 's1'] as const] : []),
    ...(provider ? [[provider, 'github'] as const] : []),
    ...(password ? [[password, 'p1'] as const] : [])
  ])
}

/** What the model writes, and what the application has written. */
function toReal(made: NonNullable<Play['made']>, process: string): ReadonlyMap<string, string> {
  const { account, password, factor, address } = made
  const names = [
    ['google', account],
    [`password of ${process}0`, password],
    [`factor of ${process}0`, factor],
    [`address of ${process}0`, address],
    ['ada@application', address],
    ['ada@one', address]
  ] as const
  return new Map(names.flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])))
}

/**
 * Keeps links that sign in. The model ends them with the address and with a suspension; the application binds them to the address
 * alone, which the user who opens them proves again (`suspend-2`).
 */
function keepLinks(before: readonly Token[], after: readonly Token[], used: string | null): readonly Token[] {
  const known = new Map(before.map((token) => [token.id, token]))
  return after.map((token) => {
    const isKept = token.kind === 'mailed link' && token.id !== used
    return isKept ? { ...token, isHeld: true, ...pick(known.get(token.id)) } : token
  })
}

const pick = (token: Token | undefined): Partial<Token> =>
  token ? { isStored: token.isStored, isOver: token.isOver } : {}

/** A proven address and a passkey are ways in, which the model has not. */
const way = 'the mailbox or a passkey'

function addWay(world: World): World {
  const { ada } = world.users
  const hasWay = ada?.isProven || ada?.factors.some((factor) => factor.startsWith('passkey'))
  return hasWay && ada
    ? { ...world, users: { ...world.users, ada: { ...ada, accounts: [...ada.accounts, way] } } }
    : world
}

const removeWay = (user: User | null): User | null =>
  user && { ...user, accounts: user.accounts.filter((account) => account !== way) }

/** Performs an operation of the model. @returns `null` if the model refuses it. */
export function play(scene: Scene, operation: string, about: Play = {}): Played | null {
  const { actor = null, token = null, made = {}, target = null } = about
  const name = `n${++plays}.`
  const names = toModel(about)
  const actorKey = actor !== null && target !== null ? actor.replace(`${target}:`, 's1:') : actor
  const renamed = addWay(rename(scene.world, names))
  const held = (each: Token): Token => ({ ...each, isHeld: each.id === token })
  const begun: World = {
    ...renamed,
    tokens: renamed.tokens.map(held),
    clock: renamed.clock + 1,
    processes: [{ ...idleProcess(name, operation), actor: actorKey }]
  }
  const ended = perform(begun)
  const [process] = ended.processes
  if (ended.violation) throw new Error(`the model violates its contract: ${ended.violation}`)
  if (process?.outcome !== 'done') return null
  const back = rename(ended, new Map([...invert(names), ...toReal(made, name)]))
  const issued = back.sessions.find((session) => session.token === `${name}0`)
  const put = back.tokens.find(({ id }) => id.endsWith(`of ${name}0`))
  const ada = removeWay(back.users.ada)
  const world: World = {
    ...back,
    processes: [],
    tokens: keepLinks(scene.world.tokens, back.tokens, token),
    users: { ...back.users, ada: ada && about.user ? about.user(ada) : ada }
  }
  return { scene: { ...scene, world }, issued: issued ? sessionKey(issued) : null, put: put?.id ?? null }
}

export const findSession = ({ world }: Scene, key: string | null): Session | null =>
  world.sessions.find((session) => sessionKey(session) === key) ?? null

/** Whether the model says that a session signs somebody in. */
export function isSignedIn(scene: Scene, key: string | null): boolean {
  const session = findSession(scene, key)
  return session !== null && isIn(scene.world, session)
}

/** Whether an administrator acts as a user in a session. */
export const isImpersonating = (scene: Scene, key: string | null): boolean =>
  isSignedIn(scene, key) && findSession(scene, key)?.versions.admin !== undefined

/** The scene after the time that an administrator may act as a user. */
export const endImpersonations = (scene: Scene): Scene => ({
  ...scene,
  world: {
    ...scene.world,
    sessions: scene.world.sessions.filter(({ user, versions }) => user === 'admin' || versions.admin === undefined)
  }
})

export const readToken = ({ world }: Scene, id: string | null): Token | null =>
  world.tokens.find((token) => token.id === id) ?? null

/** The scene with other tokens. */
export const mapTokens = (scene: Scene, change: (token: Token) => Token): Scene => ({
  ...scene,
  world: { ...scene.world, tokens: scene.world.tokens.map(change) }
})
