import type { CookieSetting, RequestCookies, SetCookie, SetCookies } from '../model/cookie.ts'
import { cleared } from './set-cookies.ts'

/** More chunks than any browser stores for one site. */
const maxChunks = 50

function chunkNumbers(cookies: RequestCookies, name: string): number[] {
  const numbers: number[] = []
  const prefix = `${name}.`
  for (const key of cookies.keys()) {
    const suffix = key.startsWith(prefix) ? key.slice(prefix.length) : ''
    if (suffix !== '' && /^(0|[1-9]\d?)$/.test(suffix)) numbers.push(Number(suffix))
  }
  return numbers
}

/**
 * The possible values of a long cookie: the whole one, then the joined chunks.
 *
 * A browser can send both, left over or planted. They are never mixed: each is tried on its own, and the chunks only if
 * none is missing.
 */
export function readChunked(cookies: RequestCookies, name: string): string[] {
  const whole = cookies.get(name)
  const values = whole ? [whole] : []
  const count = chunkNumbers(cookies, name).length
  if (count === 0 || count > maxChunks) return values
  const chunks = Array.from({ length: count }, (_, number) => cookies.get(`${name}.${number}`))
  return chunks.every((chunk) => chunk !== undefined) ? [...values, chunks.join('')] : values
}

/** @returns The cookies of a request without those that contain one of these values of a long cookie. */
export function withoutValues(cookies: RequestCookies, name: string, values: readonly string[]): RequestCookies {
  if (values.length === 0) return cookies
  const others = new Map(cookies)
  others.delete(name)
  const [chunked] = readChunked(others, name)
  const numbers = chunked !== undefined && values.includes(chunked) ? chunkNumbers(cookies, name) : []
  for (const number of numbers) others.delete(`${name}.${number}`)
  const whole = cookies.get(name)
  return whole === undefined || values.includes(whole) ? others : others.set(name, whole)
}

/** @returns The cookie, split if it is longer than `size` characters, and the removal of leftover chunks. */
export function writeChunked(
  { name, options }: CookieSetting,
  value: string,
  { expires, size, cookies }: { readonly expires: Date | null; readonly size: number; readonly cookies: RequestCookies }
): SetCookies {
  const written = clearing({ name, options }, cookies)
  const count = Math.ceil(value.length / size)
  for (let number = 0; number < count; number++) {
    const key = count === 1 ? name : `${name}.${number}`
    written.set(key, { value: value.slice(number * size, (number + 1) * size), attributes: options, expires })
  }
  return written
}

function clearing({ name, options }: CookieSetting, cookies: RequestCookies): Map<string, SetCookie> {
  const due = new Map<string, SetCookie>()
  if (cookies.has(name)) due.set(name, cleared(options))
  for (const number of chunkNumbers(cookies, name)) due.set(`${name}.${number}`, cleared(options))
  return due
}

/** @returns The removal of the cookie and of every chunk that the request contains. */
export function clearChunked(setting: CookieSetting, cookies: RequestCookies): SetCookies {
  return clearing(setting, cookies)
}
