import type { Store } from '../adapter/store.ts'
import type { Remembered } from '../hooks/remember.ts'
import type { Account } from '../model/account.ts'
import type { RequestCookies, SetCookies } from '../model/cookie.ts'
import type { Profile } from '../model/identity.ts'
import type { Session } from '../model/session.ts'
import type { User } from '../model/user.ts'
import type { Visitor } from './visitor.ts'

/** Who is to be remembered, and what the callbacks are told about it. */
export interface Admission {
  readonly user: User
  readonly account: Account
  readonly profile: Profile | null
  readonly isNewUser: boolean
  readonly remembered: Remembered
  /** Where the sign-in came from. */
  readonly visitor: Visitor
  /** Where it is written: a transaction of the sign-in, or the store itself; `null` where there is none. */
  readonly store: Store | null
}

/** Who is signed in, without the application's say and without renewing anything. */
export interface SignedIn {
  readonly userId: string
  readonly name: string | null
  readonly email: string | null
  /** When they signed in, or `null` where that is not known. */
  readonly since: Date | null
}

/** The session that a browser came with, as it was found. */
export interface FoundSession {
  /** Who is signed in by it; `null` where it is over, or does not say. */
  readonly signedIn: SignedIn | null
  /** What it is ended by: the token as it is stored, or the id in a signed token; `null` for one without. */
  readonly handle: string | null
  readonly expires: Date
}

/** Which session it is, by the id that a list of sessions gives it. */
export interface SessionKey {
  readonly id: string
  readonly userId: string
}

/** A session as it was read, and the cookies that are due. */
export interface Reading {
  readonly session: Session | null
  readonly signedIn: SignedIn | null
  readonly cookies: SetCookies
}

/** Only looks: it renews nothing and asks no callback. @throws AuthError `StoreUnavailable` */
export interface SessionFinder {
  /** The session itself, a stored one also where it is over. */
  find(cookies: RequestCookies): Promise<FoundSession | null>
  /** Who it is. */
  identify(cookies: RequestCookies): Promise<SignedIn | null>
  /** Which session it is. */
  keyOf(cookies: RequestCookies): Promise<SessionKey | null>
}

/** How visitors are remembered. Chosen at registration; nobody asks which one it is. */
export interface SessionStrategy {
  /**
   * Begins a session.
   *
   * @param before - The session that the browser came with: it ends.
   */
  open(admission: Admission, before: FoundSession | null, cookies: RequestCookies): Promise<SetCookies>
  /** Reads the session, asks the callbacks, renews what is due. @throws AuthError `StoreUnavailable` */
  read(cookies: RequestCookies): Promise<Reading>
  /** The same with `trigger: 'update'` and what the client sent. */
  update(cookies: RequestCookies, data: unknown): Promise<Reading>
  /** Ends the session and tells so. */
  close(cookies: RequestCookies): Promise<SetCookies>
  /**
   * Ends all other sessions of whoever is signed in.
   *
   * @returns Cookies that are due, or `null` where nobody is signed in.
   */
  closeOthers(cookies: RequestCookies): Promise<SetCookies | null>
}
