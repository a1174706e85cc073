import type { Config } from '../config/config.ts'
import { type Outcome, text } from '../http/action-result.ts'
import type { AuthRequest } from '../http/request.ts'
import type { Provider } from '../model/provider.ts'

/** What an action is run with: the provider that the path names, or `null`. */
export type Run = (request: AuthRequest, config: Config, provider: Provider | null) => Promise<Outcome>

/** The actions that are loaded with the first request for one of them, by their names in `later.ts`. */
export type LaterRun = 'startSignIn' | 'finishSignIn' | 'showSignOut' | 'signOut' | 'endByProvider'

/** What a path is answered that names a provider we do not have. */
export const unknownProvider: Outcome = text('Error: there is no such provider', 404)

/** One route of the product. */
export interface Row {
  readonly method: 'GET' | 'POST'
  /** The first part of the path below the base path. */
  readonly action: string
  /** Whether the second part names a provider, or what else it names. */
  readonly second: 'none' | 'optional provider' | 'provider' | 'asset'
  /** Whether a POST needs the anti-forgery token; `handler`: the provider's kind says so. */
  readonly csrf: 'required' | 'handler' | 'none'
  /** Whom it answers: scripts, with JSON also where it fails, or visitors. */
  readonly answers: 'scripts' | 'visitors'
  /**
   * Whether the action decides where the visitor goes. The `redirect` callback is asked on the other routes too, as in
   * next-auth v4, wherever a request brings a `callbackUrl`.
   */
  readonly decides: boolean
  readonly run: Run | LaterRun
}
