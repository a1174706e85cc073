import { isJsonObject } from '../model/json-object.ts'
import { readJsonObject, type TokenResponse } from './token-response.ts'

/** What a server says of a failure. */
export interface ServerWords {
  /** The error code, such as `invalid_grant`. */
  readonly code: string | null
  /** The explanation for developers. */
  readonly description: string | null
}

/** The characters of a code or a description that are logged. */
const maxLength = 200

/** A shorter secret would be part of ordinary words. */
const minSecretLength = 8

const codeFields = ['error', 'errcode', 'error_code', 'errorCode', 'code', 'type']
const descriptionFields = ['error_description', 'errmsg', 'error_msg', 'error_message', 'message', 'detail', 'reason']

/** Codes of a success, which some servers send in the fields of an error. */
const successes: ReadonlySet<string> = new Set(['', '0', 'ok', 'success'])

/** @returns The first of the fields that has a text or a number. */
function getFirst(body: Readonly<Record<string, unknown>>, names: readonly string[]): string | null {
  for (const name of names) {
    const value = body[name]
    const text = typeof value === 'number' ? String(value) : value
    if (typeof text === 'string' && !successes.has(text.toLowerCase())) return text
  }
  return null
}

/** Adds what an error in a list is about, such as `AuthorizationCode code`: its code and its message are general. */
function withPlace(description: string | null, error: Readonly<Record<string, unknown>>): string | null {
  const place = [error['resource'], error['field']].filter((part) => typeof part === 'string' && part !== '')
  return place.length === 0 ? description : [description ?? '', `(${place.join(' ')})`].join(' ').trim()
}

/**
 * Reads the error in a response body: the fields of RFC 6749 §5.2, or those that providers have instead.
 *
 * @returns `null` if the body has none.
 */
export function readServerWords(body: unknown): ServerWords | null {
  if (!isJsonObject(body)) return null
  const { error, errors } = body
  const [first]: readonly unknown[] = Array.isArray(errors) ? errors : []
  const inner = isJsonObject(error) ? error : isJsonObject(first) ? first : {}
  const code = getFirst(body, codeFields) ?? getFirst(inner, codeFields)
  const description = getFirst(body, descriptionFields) ?? getFirst(inner, descriptionFields)
  return code === null && description === null ? null : { code, description: withPlace(description, inner) }
}

/** The fields that tell an error from a profile. */
const errorFields = ['error', 'errors', 'errcode', 'errmsg', 'error_code', 'error_msg']

/** Reads the error in place of a profile, which some servers send with status 200. @returns `null` if it is a profile. */
export function readProfileError(profile: Readonly<Record<string, unknown>>): ServerWords | null {
  return errorFields.some((name) => name in profile) ? readServerWords(profile) : null
}

const challengeCode = /\berror="([^"]{1,800})"/
const challengeDescription = /\berror_description="([^"]{1,800})"/

/** @returns The error in a `WWW-Authenticate` header (RFC 6750 §3). */
function readChallenge(response: Response): ServerWords | null {
  const challenge = response.headers.get('www-authenticate') ?? ''
  const code = challengeCode.exec(challenge)?.[1] ?? null
  const description = challengeDescription.exec(challenge)?.[1] ?? null
  return code === null && description === null ? null : { code, description }
}

/** @returns What the server says of a failure, in the body or in a challenge; `null` if it says nothing. */
export async function readResponseWords(response: Response): Promise<ServerWords | null> {
  return readServerWords(await readJsonObject(response)) ?? readChallenge(response)
}

/** A run that is long enough for a key or a token, which a server may repeat; the id of a tenant or a client is shorter. */
const long = /[\w~+=-]{40,}(?:\.[\w-]+)*/g

/** @returns The text of another party in quotes, for the log: printable, limited, without secrets. */
export function quoteText(text: string, secrets: readonly (string | null | undefined)[] = []): string {
  let line = text.slice(0, 4 * maxLength)
  for (const secret of secrets) if (secret && secret.length >= minSecretLength) line = line.replaceAll(secret, '…')
  const printable = line
    .replaceAll(long, '…')
    .replaceAll(/[\p{C}\p{Z}\s]+/gu, ' ')
    .trim()
  return JSON.stringify(printable.length > maxLength ? `${printable.slice(0, maxLength - 1)}…` : printable)
}

/**
 * Quotes what a server said, for the log. It never belongs on a page: a server, or a link that somebody made, decides about
 * the text.
 *
 * @param secrets - The secrets of the request, which the server may repeat.
 */
export function quoteServerWords(
  { code, description }: ServerWords,
  secrets: readonly (string | null | undefined)[] = []
): string {
  const parts = [code, description].filter((part) => part !== null)
  return `the server said ${parts.map((part) => quoteText(part, secrets)).join(': ')}`
}

/** @returns The status of a response that should have 200, and what the server says of it. */
export async function describeStatus(
  response: Response,
  secrets: readonly (string | null | undefined)[] = []
): Promise<string> {
  const words = await readResponseWords(response)
  return `expected status 200, got ${response.status}${words ? `: ${quoteServerWords(words, secrets)}` : ''}`
}

/** The response of a server that reports an error, whatever its status. */
export class ServerError extends Error {
  override readonly name: string = 'ServerError'
  readonly status: number
  /** The code of the server; `null` if the response has none. */
  readonly error: string | null
  /** The parsed response. */
  readonly body: Readonly<Record<string, unknown>>

  constructor({ status, error, body }: Pick<ServerError, 'status' | 'error' | 'body'>, message: string) {
    super(message)
    this.status = status
    this.error = error
    // Whole responses may have tokens: they are not logged.
    Object.defineProperty(this, 'body', { enumerable: false })
    this.body = body
  }
}

/**
 * Rejects a token response that reports an error: with the status of an error, as RFC 6749 §5.2 requires, or with status 200,
 * as some servers do.
 *
 * @param secrets - The secrets of the request, which the server may repeat.
 * @throws ServerError
 */
export function rejectServerError(
  { response, body }: TokenResponse,
  secrets: readonly (string | null | undefined)[]
): void {
  if (response.ok && typeof body['access_token'] === 'string') return
  const words = readServerWords(body) ?? readChallenge(response)
  const { status } = response
  if (words)
    throw new ServerError({ status, error: words.code, body }, `status ${status}: ${quoteServerWords(words, secrets)}`)
}
