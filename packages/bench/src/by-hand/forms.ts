import { hash, randomBytes, timingSafeEqual } from 'node:crypto'
import type { FastifyRequest } from 'fastify'
import { secret } from '../subjects/subject.ts'
import { readCookie, writeCookie } from './cookies.ts'

const cookieName = 'next-auth.csrf-token'

/** Compares two texts in a time that does not depend on where they differ. */
export function isEqual(one: string, other: string): boolean {
  return one.length === other.length && timingSafeEqual(Buffer.from(one), Buffer.from(other))
}

/** A new token against forged forms, and its cookie. */
export function createCsrfToken(): { readonly token: string; readonly cookie: string } {
  const token = randomBytes(32).toString('hex')
  return { token, cookie: writeCookie(cookieName, `${token}|${hash('sha256', token + secret)}`, null) }
}

/** The token of the browser; `null` if it has none that this server issued. */
export function readCsrfToken({ headers }: FastifyRequest): string | null {
  const [token = '', digest = ''] = readCookie(headers.cookie, cookieName)?.split('|') ?? []
  return token !== '' && isEqual(hash('sha256', token + secret), digest) ? token : null
}

/** Whether a form was sent by a page of this origin. */
export function isOwnForm(request: FastifyRequest, form: URLSearchParams, origin: string): boolean {
  const { headers } = request
  const site = headers['sec-fetch-site']
  if (site === undefined ? headers.origin !== undefined && headers.origin !== origin : site !== 'same-origin')
    return false
  const expected = readCsrfToken(request)
  return expected !== null && isEqual(form.get('csrfToken') ?? '', expected)
}
