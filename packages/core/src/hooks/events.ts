import { withTimeout } from '../errors/user-code.ts'
import type { Account, SignInAccount } from '../model/account.ts'
import type { Logger } from '../model/logger.ts'
import type { Session, Token } from '../model/session.ts'
import type { User } from '../model/user.ts'

/** An account that was removed from a user. */
export interface RemovedAccount {
  readonly provider: string
  readonly providerAccountId: string
}

/** The payloads of next-auth v4's `events`. A listener is called after the event. */
export interface EventPayloads {
  /** A user signed in. */
  signIn: { user: User; account: Account; profile?: User; isNewUser?: boolean }
  /** A user signed out: the token, or the stored session. */
  signOut: { token?: Token | null; session?: unknown }
  /** A user was created at their first sign-in. */
  createUser: { user: User }
  /** A sign-in link verified the email address of an existing user. */
  updateUser: { user: User }
  /**
   * The owner of an email address takes over a user whose address was unverified. Postern ends the user's sessions and
   * removes the accounts in `removed`; delete the user's password here.
   *
   * The listener is called before anything is removed: if it fails, the sign-in fails and nothing changes. It is called
   * again after everything is removed, so that a password that was set in between is deleted too.
   */
  reclaimUser: {
    user: User
    account: Account
    removed: { readonly accounts: readonly RemovedAccount[] }
    phase: 'before' | 'after'
  }
  /**
   * A user was deleted, with their accounts, sessions and factors: by themselves, at the end of a grace period, or by the
   * application. `user` is what the adapter stored. Two deletions at once may both report it.
   */
  deleteUser: { user: User }
  /** An account at a provider was linked to a user. */
  linkAccount: { user: User; account: Account; profile: User }
  /** A session was read. */
  session: { session: Session; token?: Token }
}

/** What the provider states about the user of a sign-in. */
type ReceivedProfile = { id: string; name?: string; email?: string; image?: string }

/** A payload with types that those of next-auth accept. */
type Received<P> = {
  [K in keyof P]: K extends 'account' ? SignInAccount : K extends 'profile' ? ReceivedProfile : P[K]
}

/** A listener as a method: it may declare other types, as some of next-auth's do. */
interface Listener<P> {
  listen(payload: P): unknown
}

/** `reclaimUser` is Postern's own. */
type ReceivedPayloads = { [E in Exclude<keyof EventPayloads, 'reclaimUser'>]: Received<EventPayloads[E]> } & Pick<
  EventPayloads,
  'reclaimUser'
>

/** The `events` option: a listener per event. */
export type EventListeners = {
  readonly [E in keyof EventPayloads]?: Listener<ReceivedPayloads[E]>['listen'] | undefined
}

/** Emits one event. Resolves when the listener has finished, whether it succeeded or not. */
export type Emit = <E extends keyof EventPayloads>(event: E, payload: EventPayloads[E]) => Promise<void>

const nothing = Promise.resolve()

/** Creates the emitter. A listener that throws, or exceeds its time limit, is logged and never stops a sign-in. */
export function createEmitter(listeners: EventListeners, logger: Logger, milliseconds: number): Emit {
  const call = async (event: keyof EventPayloads, listen: Listener<object>['listen'], payload: object) => {
    try {
      await withTimeout(`events.${event}`, listen.call(listeners, payload), milliseconds)
    } catch (error) {
      const code = event.replace(/[A-Z]/g, (letter) => `_${letter}`).toUpperCase()
      logger.error(`${code}_EVENT_ERROR`, error)
    }
  }
  return (event, payload) => {
    const listen: Listener<object>['listen'] | undefined = listeners[event]
    return listen ? call(event, listen, payload) : nothing
  }
}
