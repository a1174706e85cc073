import { inTime } from '../errors/user-code.ts'
import type { Account } from '../model/account.ts'
import type { Logger } from '../model/logger.ts'
import type { Session, Token } from '../model/session.ts'
import type { User } from '../model/user.ts'

/** What is told after the fact, as next-auth v4's `events`. A listener gets one of these. */
export interface EventPayloads {
  /** Somebody signed in. */
  signIn: { user: User; account: Account; profile?: User; isNewUser?: boolean }
  /** Somebody signed out: the token, or the session of the store. */
  signOut: { token?: Token | null; session?: unknown }
  /** A user was created, with their first sign-in. */
  createUser: { user: User }
  /** A link proved the address of a user who was there. */
  updateUser: { user: User }
  /** An account at a provider was linked to a user. */
  linkAccount: { user: User; account: Account; profile: User }
  /** A session was read. */
  session: { session: Session; token?: Token }
}

export type EventListeners = {
  readonly [E in keyof EventPayloads]?: ((payload: EventPayloads[E]) => unknown) | undefined
}

/** Tells one event. Resolves when the listener is done, whether it succeeded or not. */
export type Tell = <E extends keyof EventPayloads>(event: E, payload: EventPayloads[E]) => Promise<void>

/** A listener that throws, or takes longer than it may, is logged and never stops a sign-in. */
export function teller(listeners: EventListeners, logger: Logger, milliseconds: number): Tell {
  return async (event, payload) => {
    if (!listeners[event]) return
    try {
      await inTime(`events.${event}`, listeners[event](payload), milliseconds)
    } catch (error) {
      const code = event.replace(/[A-Z]/g, (letter) => `_${letter}`).toUpperCase()
      logger.error(`${code}_EVENT_ERROR`, error)
    }
  }
}
