import type { Account, FactorKey, FeatureContext, FeatureRequest, PendingSignIn } from '@postern/core/feature'

/** What a user removes: an account at a provider, or a factor. */
export type RemovedProof = Pick<Account, 'provider' | 'providerAccountId'> | FactorKey

/** Why nothing was removed: an undo is proven with it, or the address is changed at the same time. */
export type GuardRefusal = 'busy' | 'needed'

/**
 * Whether the sign-in of a session is trusted while changes of the address can be undone: it was after the last change, and used
 * something from before the first one. `trusted` without a change.
 */
export type SignInTrust = 'trusted' | 'before-change' | 'untrusted'

/** Guards the undo of a change of the email address for other features, without a part of the public API. */
export interface UndoGuard {
  /**
   * Removes what a user signs in with, unless an undo is proven with it. A removal delays changes of the address.
   *
   * @param proof - `null` if no undo is proven with what is removed.
   * @param work - Returns `false`, or throws an `AccountError`, if it removes nothing.
   */
  remove(userId: string, proof: RemovedProof | null, work: () => Promise<boolean>): Promise<boolean | GuardRefusal>
  /**
   * Records that a user has a new password from now on. It does not end a delay for 7 days, and an undo accepts the one that
   * it replaces for as long, if that was in use for 7 days or since the sign-up. Call it before.
   *
   * @param replaced - The hash of the password that is replaced; `null` if the user has none yet.
   */
  recordNewPassword(userId: string, replaced: string | null): Promise<void>
  /** Lists the addresses from which a user has changed, while the changes can be undone. */
  listAddresses(userId: string): Promise<readonly string[]>
  /** Compares the sign-in of a session with the changes of the address that can be undone. */
  readSignInTrust(request: FeatureRequest, userId: string): Promise<SignInTrust>
  /** Whether a sign-in that is not complete uses what the user had before each change that can be undone. */
  isKnownSignIn(signIn: PendingSignIn): Promise<boolean>
}

const guards = new WeakMap<object, UndoGuard>()

/** @returns The API, through which other features find the guard. */
export function registerUndoGuard<Api extends object>(api: Api, guard: UndoGuard): Api {
  guards.set(api, guard)
  return api
}

/** @returns `null` if the application has no `accountPages()`. */
export function findUndoGuard({ features }: Pick<FeatureContext, 'features'>): UndoGuard | null {
  const api: object | undefined = Object.hasOwn(features, 'account') ? Reflect.get(features, 'account') : undefined
  return (api && guards.get(api)) ?? null
}
