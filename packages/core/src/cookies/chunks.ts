import type { CookieSetting, RequestCookies, SetCookie, SetCookies } from '../model/cookie.ts'
import { getCookieValues, setCookieValues } from './parse.ts'
import { cleared } from './set-cookies.ts'

/** More chunks than any browser stores for one site. */
const maxChunks = 50

function chunkNumbers(cookies: RequestCookies, name: string): number[] {
  const numbers: number[] = []
  for (const key of cookies.keys()) {
    if (key.length === name.length || key[name.length] !== '.' || !key.startsWith(name)) continue
    const suffix = key.slice(name.length + 1)
    if (/^(0|[1-9]\d?)$/.test(suffix)) numbers.push(Number(suffix))
  }
  return numbers
}

/**
 * The possible values of the chunks. Two cookies of unequal length have a different number of chunks: the last ones belong to
 * the longer cookie.
 */
function joinChunks(chunks: readonly (readonly string[])[]): string[] {
  const depths = chunks.map(({ length }) => length)
  const depth = Math.max(...depths)
  const shorter = depths.filter((length) => length === depth).length
  return Array.from({ length: depth }, (_, position) => {
    const all = chunks.map((values) => values[position] ?? values.at(-1))
    return shorter === chunks.length ? [all] : [all, all.slice(0, shorter)]
  })
    .flat()
    .map((parts) => parts.join(''))
}

/**
 * The possible values of a long cookie: the whole one, then the joined chunks; up to three of each, if there are several cookies
 * with one name.
 *
 * A browser can send both, left over or planted. They are never mixed: each is tried on its own, and the chunks only if
 * none is missing.
 */
export function readChunked(cookies: RequestCookies, name: string): string[] {
  const whole = getCookieValues(cookies, name).filter((value) => value !== '')
  const count = chunkNumbers(cookies, name).length
  if (count === 0 || count > maxChunks) return whole
  const chunks = Array.from({ length: count }, (_, number) => getCookieValues(cookies, `${name}.${number}`))
  return chunks.every(({ length }) => length > 0) ? [...whole, ...joinChunks(chunks)] : whole
}

/** @returns Whether a request has several cookies with the name of a long cookie, or of a chunk of it. */
export function hasSeveral(cookies: RequestCookies, name: string): boolean {
  const names = [name, ...chunkNumbers(cookies, name).map((number) => `${name}.${number}`)]
  return names.some((key) => getCookieValues(cookies, key).length > 1)
}

/** @returns The cookies of a request without those that contain one of these values of a long cookie. */
export function withoutValues(cookies: RequestCookies, name: string, values: readonly string[]): RequestCookies {
  if (values.length === 0) return cookies
  const others = new Map(cookies)
  setCookieValues(others, name, [])
  const chunked = readChunked(others, name)
  const areOthers = chunked.length > 0 && chunked.every((value) => values.includes(value))
  for (const number of areOthers ? chunkNumbers(cookies, name) : []) setCookieValues(others, `${name}.${number}`, [])
  const whole = getCookieValues(cookies, name)
  setCookieValues(
    others,
    name,
    whole.filter((value) => !values.includes(value))
  )
  return others
}

/** @returns The cookie, split if it is longer than `size` characters, and the removal of leftover chunks. */
export function writeChunked(
  { name, options }: CookieSetting,
  value: string,
  { expires, size, cookies }: { readonly expires: Date | null; readonly size: number; readonly cookies: RequestCookies }
): SetCookies {
  const written = clearChunked({ name, options }, cookies)
  const count = Math.ceil(value.length / size)
  for (let number = 0; number < count; number++) {
    const key = count === 1 ? name : `${name}.${number}`
    written.set(key, { value: value.slice(number * size, (number + 1) * size), attributes: options, expires })
  }
  return written
}

/** @returns The removal of the cookie and of every chunk that the request contains. */
export function clearChunked({ name, options }: CookieSetting, cookies: RequestCookies): Map<string, SetCookie> {
  const due = new Map<string, SetCookie>()
  if (cookies.has(name)) due.set(name, cleared(options))
  for (const number of chunkNumbers(cookies, name)) due.set(`${name}.${number}`, cleared(options))
  return due
}
