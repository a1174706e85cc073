import type { CredentialOptions } from './credentials.ts'
import { FeatureCallError } from './feature.ts'
import { navigate } from './navigate.ts'
import type {
  AuthenticatorKey,
  ChangeOptions,
  MailState,
  SecondFactorMethod,
  SecondFactorResponse
} from './second-factor-types.ts'

/** The pages as data, as far as they are read. */
export interface Page {
  readonly screen?: string
  readonly error?: string
  readonly url?: string
  readonly props?: {
    readonly problem?: string | null
    readonly key?: AuthenticatorKey
    readonly codes?: readonly string[]
    readonly methods?: readonly SecondFactorMethod[]
    readonly passkeyOptions?: CredentialOptions | null
    readonly digits?: number
    readonly mail?: MailState
    readonly trustDays?: number
  }
}

export const refused = (error: string, url: string | null = null): SecondFactorResponse => ({ ok: false, error, url })

export const parseUrl = (url: string): URL => new URL(url, location.href)

export const readProblem = ({ props }: Page): string | null => props?.problem ?? null

/** Converts what a route refused, and follows the URL of a user who has to authenticate. */
export function toRefusal(error: unknown, { callbackUrl, redirect = true }: ChangeOptions): SecondFactorResponse {
  if (!(error instanceof FeatureCallError)) throw error
  const page: Page = Object(error.body)
  if (page.url === undefined) return refused(page.error ?? readProblem(page) ?? 'SecondFactorFailed')
  const url = parseUrl(page.url)
  const code = url.searchParams.get('error') ?? 'SessionRequired'
  if (error.status !== 401) return refused(code)
  if (url.searchParams.has('callbackUrl')) url.searchParams.set('callbackUrl', callbackUrl ?? location.href)
  if (redirect) navigate(url.href)
  return refused(code, url.href)
}
