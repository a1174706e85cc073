import type { Mail } from '@postern/testkit'
import type { User } from '@postern/testkit/access-model'
import type { SoftwarePasskey } from '@postern/testkit/software-authenticator'
import { origin } from '../password-application.ts'
import { createAuthenticator } from '../software-authenticator.ts'
import { isSignedIn, type Played, play, readToken, type Scene } from './scene.ts'
import type { Route, Stage } from './stage.ts'
import type { Visitor } from './visitor.ts'

/** Chooses one of so many. */
export type Choose = (count: number) => number

/** What the steps know: the stage, the people, and what they remember. */
export interface Ground {
  readonly stage: Stage
  readonly choose: Choose
  scene: Scene
  /** The id of Ada, who may have been deleted. */
  adaId: string | null
  readonly adminId: string
  /** The session of the administrator, and browsers that anybody uses. */
  readonly admin: Visitor
  readonly visitors: Visitor[]
  /** The sessions of cookies, as the model calls them. */
  readonly keysOf: Map<string, string>
  readonly authenticator: ReturnType<typeof createAuthenticator>
  /** The keys of apps, by the factor. */
  readonly keys: Map<string, string>
  /** Passkeys, by the factor. */
  readonly passkeys: Map<string, SoftwarePasskey>
  /** Every password that was one. */
  readonly passwords: Set<string>
  /** Links in mails, by what waits. */
  readonly links: Map<string, string>
  /** The new addresses of changes, by what waits. */
  readonly addresses: Map<string, string>
  /** When the user of a session authenticated, and whether with two factors, by the id of the session. */
  readonly authenticated: Map<string, { readonly at: number; readonly isComplete: boolean }>
  /** The sessions of administrators that impersonations, by their ids, were started from. */
  readonly startedFrom: Map<string, string>
  /** Sessions that end by themselves, by their id. */
  readonly ends: Map<string, number>
  /** A number for each new thing. */
  count: number
}

/** What a step does. */
export interface Step {
  readonly label: string
  readonly visitor: Visitor | null
  /** Sends the requests. @returns Whether it was done; `silent` if the response does not say. @throws UnknownOutcome */
  readonly run: (route: Route) => Promise<boolean | 'silent'>
  /** The model after it; `null` if the model refuses it. */
  readonly apply: (scene: Scene) => Played | null
  /** What it may be instead, if another step has been done at the same time. */
  readonly applyBeside?: (scene: Scene) => Played | null
  /** Whether it must be done if the model allows it. */
  readonly isRequired?: boolean
  /** Whether the session of the visitor gets another token and stays the same. */
  readonly isRenewal?: boolean
  /**
   * Whether it gives an address to a user, or takes it: two at once may leave a user with each, and the model has one.
   */
  readonly isAboutAddress?: boolean
  /** Whether a mail is sent before anything is written: a step beside it may prevent what the response states. */
  readonly isMailedFirst?: boolean
  /** What happens once it was done. */
  readonly adopt?: (played: Played) => void
}

export const createOwnAuthenticator = () => createAuthenticator({ origin })

export const one = <T>({ choose }: Pick<Ground, 'choose'>, values: readonly T[]): T => {
  const value = values[choose(values.length)]
  if (value === undefined) throw new Error('expected a value')
  return value
}

export const getUser = ({ scene }: Pick<Ground, 'scene'>): User | null => scene.world.users.ada

/** The session that a browser has, as the model calls it. */
export const keyOf = ({ keysOf }: Ground, visitor: Visitor): string | null => keysOf.get(visitor.session ?? '') ?? null

/** Notes when a user authenticated. */
export const note = ({ stage, authenticated }: Ground, key: string, isComplete: boolean): void =>
  void authenticated.set(toId(key), { at: stage.clock.now(), isComplete })

/** Waits for a mail to an address: a process reports its mails a moment later. */
async function waitForMail<T>(
  { stage }: Ground,
  { since, to }: { readonly since: number; readonly to: string },
  read: (mail: Mail) => T | undefined
): Promise<T | null> {
  for (let turn = 0; turn < 2000; turn++) {
    const mails = stage.mailbox.mails.slice(since).filter((mail) => mail.to === to)
    for (const mail of mails.toReversed()) {
      const found = read(mail)
      if (found !== undefined) return found
    }
    await new Promise((resolve) => setImmediate(resolve))
  }
  return null
}

/** The link with this path in a mail to an address, since a number of mails. */
export const findLink = (ground: Ground, since: number, to: string, path: string): Promise<string | null> =>
  waitForMail(ground, { since, to }, ({ links }) => links.find((link) => link.includes(path)))

/** The token of that link. */
export async function findToken(ground: Ground, since: number, to: string, path: string): Promise<string | null> {
  const link = await findLink(ground, since, to, path)
  return link === null ? null : new URL(link).searchParams.get('token')
}

/** The code in a mail to an address, whose subject matches. */
export const findCode = (ground: Ground, since: number, to: string, subject: RegExp): Promise<string | null> =>
  waitForMail(ground, { since, to }, (mail) => (subject.test(mail.subject) ? mail.codes[0] : undefined))

/** Does nothing in the model. */
export const unchanged = (scene: Scene): Played => ({ scene, issued: null, put: null })

/** The id of a session, which it keeps when it gets another token. */
export const toId = (key: string): string => key.slice(0, key.indexOf(':'))

/**
 * Ends the session that a browser had before it signed in. Beside another step, which may have given the session another token
 * since then, it ends also with that token.
 */
export function replaceSession(played: Played, before: string | null, isBeside = false): Played {
  if (before === null || played.issued === null) return played
  if (!isBeside && !isSignedIn(played.scene, before)) return played
  const ended = play(played.scene, 'sign out', { target: toId(before) })
  return ended ? { ...played, scene: ended.scene } : played
}

/** A user who has this password. */
function withPassword(scene: Scene, password: string | null, trust: string | null): Scene {
  const { world } = scene
  const { ada } = world.users
  return {
    ...scene,
    world: {
      ...world,
      users: { ...world.users, ada: ada && { ...ada, password } },
      tokens: world.tokens.map((each) => (each.id === trust ? { ...each, password } : each))
    }
  }
}

/** Whether a sign-in asks for a second factor: passkeys alone are ways to sign in. */
export const isAsked = ({ world }: Scene): boolean =>
  world.users.ada?.factors.some((factor) => factor.startsWith('app')) ?? false

/** Performs an operation for a user of the model who has no factors. */
export function playWithoutFactors(scene: Scene, perform: (scene: Scene) => Played | null): Played | null {
  const withFactors = (factors: readonly string[], from: Scene): Scene => {
    const { ada } = from.world.users
    return { ...from, world: { ...from.world, users: { ...from.world.users, ada: ada && { ...ada, factors } } } }
  }
  const played = perform(withFactors([], scene))
  return played && { ...played, scene: withFactors(scene.world.users.ada?.factors ?? [], played.scene) }
}

/** Performs a sign-in of the model, which asks for a second factor where the application does. */
export const playSignIn = (scene: Scene, signIn: (scene: Scene) => Played | null): Played | null =>
  isAsked(scene) ? signIn(scene) : playWithoutFactors(scene, signIn)

const assumed = 'a password that the model assumes'

/** Performs a sign-in of the model that needs a password, whatever was given in its place. */
function playAssumed(scene: Scene, operation: string, trust: string | null = null): Played | null {
  const password = scene.world.users.ada?.password ?? null
  const played = play(withPassword(scene, assumed, trust), operation, { token: trust, password: assumed })
  return played && { ...played, scene: withPassword(played.scene, password, trust) }
}

/** Signs in a user whom the application has verified. */
export const playAuthorized = (scene: Scene): Played | null => playAssumed(scene, 'sign in by authorize')

/** Signs in by a trusted browser, whatever the first factor was. */
export function playTrusted(scene: Scene, trust: string | null): Played | null {
  const token = readToken(scene, trust)
  const { ada } = scene.world.users
  if (!token || token.password !== ada?.password) return null
  return playAssumed(scene, 'sign in by trusted browser', trust)
}

/** Performs an operation that a suspension does not prevent, and that signs nobody in. */
export function playUnsuspended(scene: Scene, perform: (scene: Scene) => Played | null): Played | null {
  const withRow = (isSuspended: boolean, from: Scene): Scene => {
    const { world } = from
    const { ada } = world.rows
    return { ...from, world: { ...world, rows: { ...world.rows, ada: ada && { ...ada, isSuspended } } } }
  }
  const played = perform(withRow(false, scene))
  return played && { ...played, scene: withRow(scene.world.rows.ada?.isSuspended ?? false, played.scene) }
}
