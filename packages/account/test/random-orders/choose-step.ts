import { approveAddress, askForAddress, cancelAddress, decideAddress, letWeekPass } from './addresses.ts'
import { providers } from './application.ts'
import {
  addPasskey,
  askForReset,
  changePassword,
  enroll,
  removeApp,
  removePasskey,
  reset,
  unlink
} from './credentials.ts'
import {
  askForDeletion,
  decideDeletion,
  deleteUser,
  endAdmin,
  endAll,
  endOne,
  endOthers,
  invite,
  logOutAtProvider,
  resume,
  signOut,
  suspend,
  writeAddress
} from './ends.ts'
import { type Ground, getUser, keyOf, one, type Step, toId } from './ground.ts'
import { findSession, isSignedIn, readToken } from './scene.ts'
import {
  askForLink,
  byAccount,
  byApplication,
  byPasskey,
  byPassword,
  finish,
  impersonate,
  link,
  openLink,
  renew,
  signInAdmin,
  signUp
} from './sign-ins.ts'
import type { Visitor } from './visitor.ts'

/** A step, or nothing if it has nothing to begin with. */
type Make = (ground: Ground, visitor: Visitor) => Step | null

/** Whether a session may change what its user signs in with. */
function mayChange(ground: Ground, visitor: Visitor): boolean {
  const key = keyOf(ground, visitor)
  const session = findSession(ground.scene, key)
  if (key === null || !session || !isSignedIn(ground.scene, key) || session.versions.admin !== undefined) return false
  const { at, isComplete } = ground.authenticated.get(toId(key)) ?? { at: 0, isComplete: false }
  const isFresh = ground.stage.clock.now() - at < 500_000
  return isFresh && (isComplete || getUser(ground)?.factors.length === 0)
}

/** A browser whose session may change something, usually; one that may not, otherwise. */
function findActor(ground: Ground, visitor: Visitor): Visitor {
  const allowed = ground.visitors.filter((each) => mayChange(ground, each))
  return allowed.length === 0 || ground.choose(8) === 0 ? visitor : one(ground, allowed)
}

const changing =
  (make: (ground: Ground, visitor: Visitor) => Step | null): Make =>
  (ground, visitor) =>
    make(ground, findActor(ground, visitor))

/** One of what waits, an old one too. */
function findWaiting(ground: Ground, kind: string): string | null {
  const ids = [...ground.links.keys()].filter((id) => id.startsWith(kind)).slice(-3)
  return ids.length === 0 ? null : ground.choose(3) === 0 ? one(ground, ids) : (ids.at(-1) ?? null)
}

const withWaiting =
  (kind: string, make: (ground: Ground, visitor: Visitor, id: string) => Step): Make =>
  (ground, visitor) => {
    const id = findWaiting(ground, kind)
    return id === null ? null : make(ground, visitor, id)
  }

const isHere = (ground: Ground): boolean => getUser(ground) !== null

/** The steps, and how often each is taken. */
const steps: readonly (readonly [weight: number, make: Make])[] = [
  [10, byPassword],
  [8, signInAtProvider],
  [4, (ground, visitor) => (isHere(ground) ? askForLink(ground, visitor) : null)],
  [5, withWaiting('mailed link', openLink)],
  [5, (ground, visitor) => (ground.passkeys.size > 0 ? byPasskey(ground, visitor) : null)],
  [16, finishPending],
  [3, (ground, visitor) => (isHere(ground) ? byApplication(ground, visitor) : null)],
  [3, (ground, visitor) => (keyOf(ground, visitor) ? renew(ground, visitor) : null)],
  [2, impersonateInCopy],
  [2, (ground) => (isSignedIn(ground.scene, keyOf(ground, ground.admin)) ? null : signInAdmin(ground))],
  [5, changing(changePassword)],
  [3, (ground, visitor) => (isHere(ground) ? askForReset(ground, visitor) : null)],
  [3, withWaiting('reset link', reset)],
  [5, changing(linkNew)],
  [3, changing((ground, visitor) => unlink(ground, visitor, one(ground, providers)))],
  [4, changing(enroll)],
  [2, changing(removeApp)],
  [4, changing(addPasskey)],
  [2, changing(removePasskey)],
  [4, changing((ground, visitor) => askForAddress(ground, visitor, ground.addresses))],
  [3, withWaiting('address change', decideChange)],
  [2, withWaiting('address change', (ground, visitor, id) => approve(ground, visitor, id))],
  [1, withWaiting('address change', cancelAddress)],
  [1, (ground) => letWeekPass(ground, ground.addresses)],
  [3, changing(askForDeletion)],
  [2, withWaiting('deletion', (ground, visitor, id) => decideDeletion(ground, visitor, id, 'cancel'))],
  [1, withWaiting('deletion', (ground, visitor, id) => decideDeletion(ground, visitor, id, 'confirm'))],
  [3, signOut],
  [2, (ground, visitor) => (isHere(ground) ? endOne(ground, visitor) : null)],
  [3, changing(endOthers)],
  [2, (ground) => (isHere(ground) ? endAll(ground) : null)],
  [1, endAdmin],
  [2, (ground) => (isHere(ground) ? suspend(ground) : null)],
  [3, (ground) => (isHere(ground) ? resume(ground) : null)],
  [1, (ground) => (isHere(ground) ? deleteUser(ground) : null)],
  [2, (ground) => (isHere(ground) ? invite(ground) : null)],
  [1, (ground) => (isHere(ground) ? writeAddress(ground) : null)],
  [2, logOutAtProvider]
]

const total = steps.reduce((sum, [weight]) => sum + weight, 0)

function finishPending(ground: Ground): Step | null {
  const { visitors, scene } = ground
  const isAlive = (visitor: Visitor): boolean => {
    const token = readToken(scene, visitor.pending)
    return token?.isStored === true && !token.isOver && token.version >= (scene.world.rows.ada?.sessionsFrom ?? 0)
  }
  const alive = visitors.filter(isAlive)
  const waiting =
    alive.length > 0 ? alive : visitors.filter(({ pending }) => pending !== null && ground.choose(4) === 0)
  return waiting.length === 0 ? null : finish(ground, one(ground, waiting), ground.choose(2) === 0)
}

/** A signed-in user who comes back with an account of nobody is asked whether to connect it, which is another step. */
function signInAtProvider(ground: Ground, visitor: Visitor): Step | null {
  const provider = one(ground, providers)
  const isKnown = getUser(ground)?.accounts.includes(provider) ?? false
  return isKnown || !isSignedIn(ground.scene, keyOf(ground, visitor)) ? byAccount(ground, visitor, provider) : null
}

function linkNew(ground: Ground, visitor: Visitor): Step | null {
  const left = providers.filter((each) => !getUser(ground)?.accounts.includes(each))
  // Without a session it would be a sign-in, and with one of a lower level it would wait for a second factor.
  if (left.length === 0 || !mayChange(ground, visitor)) return null
  return link(ground, visitor, one(ground, left))
}

function decideChange(ground: Ground, visitor: Visitor, id: string): Step {
  const decision = ground.choose(3) === 0 ? 'cancel' : 'confirm'
  return decideAddress(ground, visitor, { id, addresses: ground.addresses, decision })
}

function approve(ground: Ground, visitor: Visitor, id: string): Step {
  return approveAddress(ground, findActor(ground, visitor), id, ground.addresses)
}

/** Adds a browser, in place of an earlier one. */
function add({ visitors, choose }: Ground, visitor: Visitor): void {
  if (visitors.length >= maxVisitors) visitors.splice(choose(maxVisitors), 1)
  visitors.push(visitor)
}

const maxVisitors = 7

function impersonateInCopy(ground: Ground): Step | null {
  if (!isHere(ground) || !isSignedIn(ground.scene, keyOf(ground, ground.admin))) return null
  const copy = ground.admin.copy(`browser ${++ground.count}`)
  const step = impersonate(ground, copy)
  return {
    ...step,
    adopt: (played) => {
      step.adopt?.(played)
      add(ground, copy)
    }
  }
}

/** Ada comes, or comes back. */
const begin: Make = (ground, visitor) =>
  ground.choose(2) === 0 ? signUp(ground, visitor) : signInAtProvider(ground, visitor)

function chooseMake({ choose }: Ground): Make | undefined {
  let left = choose(total)
  return steps.find(([weight]) => {
    left -= weight
    return left < 0
  })?.[1]
}

/** Whether two steps may happen at once. */
const areApart = (step: Step, other: Step): boolean =>
  (step.visitor === null || step.visitor !== other.visitor) && !(step.isAboutAddress && other.isAboutAddress)

/** Chooses the next step, or one that happens beside another. */
export function chooseStep(ground: Ground, beside: Step | null = null): Step {
  for (;;) {
    if (ground.choose(12) === 0) add(ground, one(ground, ground.visitors).copy(`browser ${++ground.count}`))
    const visitor = one(ground, ground.visitors)
    const make = !isHere(ground) && ground.choose(2) === 0 ? begin : chooseMake(ground)
    const step = make?.(ground, visitor) ?? null
    if (step !== null && (beside === null || areApart(step, beside))) return step
  }
}
