import type { CookieAttributes, RequestCookies, SetCookie, SetCookies } from '../model/cookie.ts'

export const noCookies: SetCookies = new Map()

/** @returns The cookies of all steps; a later cookie replaces an earlier one of the same name. */
export function joinCookies(...steps: readonly SetCookies[]): SetCookies {
  let first = noCookies
  let all: Map<string, SetCookie> | null = null
  for (const cookies of steps) {
    if (cookies.size === 0) continue
    if (first.size === 0) first = cookies
    else {
      all ??= new Map(first)
      for (const [name, cookie] of cookies) all.set(name, cookie)
    }
  }
  return all ?? first
}

/** @returns One cookie that lasts until `expires`, or until the browser closes. */
export function setCookie(name: string, value: string, attributes: CookieAttributes, expires: Date | null): SetCookies {
  return new Map([[name, { value, attributes, expires }]])
}

const longAgo = new Date(0)

/** A cookie that removes the one of the same name. The attributes must match those it was set with. */
export function cleared(attributes: CookieAttributes): SetCookie {
  return { value: '', attributes, expires: longAgo }
}

export function clearCookie(name: string, attributes: CookieAttributes): SetCookies {
  return new Map([[name, cleared(attributes)]])
}

/** @returns The cookies of the next request of a browser to which these cookies are set. */
export function applyCookies(cookies: RequestCookies, changes: SetCookies): RequestCookies {
  if (changes.size === 0) return cookies
  const next = new Map(cookies)
  for (const [name, { value }] of changes) {
    if (value === '') next.delete(name)
    else next.set(name, value)
  }
  return next
}
