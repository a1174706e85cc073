import type { RefusedRequest } from './features/refusal.ts'
import type { ActionResult } from './http/action-result.ts'
import type { MaybePromise } from './model/awaitable.ts'

/** A route of the core or of a feature, with the request that it was found for. */
export interface MatchedRoute {
  /** Whether the request is a form that only a page of the application may send. */
  readonly needsOwnForm: boolean
  /** Whether a `callbackUrl` of the request is stored, as in next-auth v4. */
  readonly storesCallbackUrl: boolean
  /** The response to a form of another site. */
  refuseForm(): ActionResult
  run(): MaybePromise<ActionResult>
  /** Converts what {@link run} threw. */
  toError(thrown: unknown): unknown
  /** Whether the response to an error is JSON. */
  sendsJsonError(error: unknown): boolean
  /** Describes the request for the features; `null` if its refusal is not reported. */
  describeRefused(): RefusedRequest | null
}
