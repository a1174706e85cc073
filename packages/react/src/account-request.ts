import type { AccountChange, AccountChangeOptions } from './account-types.ts'
import { callFeature, FeatureCallError } from './feature.ts'
import { navigate } from './navigate.ts'
import type { CtxOrReq } from './types.ts'

/** A page of the account as data. */
export interface Page<T> {
  readonly props: T
  /** The texts whose keys are among the values, in the language of the user. */
  readonly texts?: Readonly<Record<string, string>>
}

/** What a route says about a refusal. */
interface Refusal {
  readonly error?: string
  readonly url?: string
  readonly props?: {
    readonly problem?: string | null
    /** Why a link or a code is of no use. */
    readonly reason?: string
  }
}

/** Reads a page of the signed-in user. @returns `null` if no user is signed in, or if the user is not stored. */
export async function readPage<T>(path: string, request: CtxOrReq): Promise<Page<T> | null> {
  try {
    return await callFeature<Page<T>>(path, request)
  } catch (error) {
    if (error instanceof FeatureCallError && [401, 403].includes(error.status)) return null
    throw error
  }
}

/** Reads the values of a page. @returns `null` as {@link readPage} does. */
export async function read<T>(path: string, request: CtxOrReq): Promise<T | null> {
  return (await readPage<T>(path, request))?.props ?? null
}

const getProblem = ({ problem, reason }: NonNullable<Refusal['props']> = {}): string | undefined => problem ?? reason

/** Follows the URL of a user who has to authenticate. */
export function toRefusal(error: unknown, { callbackUrl, redirect = true }: AccountChangeOptions): AccountChange {
  if (!(error instanceof FeatureCallError)) throw error
  const { error: code, url, props }: Refusal = Object(error.body)
  if (url === undefined || error.status !== 401)
    return { ok: false, error: code ?? getProblem(props) ?? 'Default', url: null }
  const target = new URL(url, location.href)
  target.searchParams.set('callbackUrl', callbackUrl ?? location.href)
  if (redirect) navigate(target.href)
  return { ok: false, error: 'SessionRequired', url: target.href }
}

/** Posts a change. @throws Error if the request failed. */
export async function change(path: string, body: object, options: AccountChangeOptions): Promise<AccountChange> {
  try {
    await callFeature(path, { method: 'POST', body })
    return { ok: true, error: null, url: null }
  } catch (error) {
    return toRefusal(error, options)
  }
}
