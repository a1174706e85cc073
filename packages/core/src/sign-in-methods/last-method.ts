import type { Config } from '../config/config.ts'
import { noCookies, setCookie } from '../cookies/set-cookies.ts'
import type { RequestCookies, SetCookies } from '../model/cookie.ts'

/** A year, in milliseconds. */
const maxAge = 365 * 24 * 3600 * 1000

/** Whether the built-in sign-in page offers the method among others. */
function isOneOfSeveral(id: string, { pages, signInOptions }: Config): boolean {
  return pages.signIn === null && signInOptions.length > 1 && signInOptions.some((option) => option.id === id)
}

/**
 * Keeps the id of the method, for the sign-in page of this browser. The id names no user, and only selects which option is
 * marked. Called once a session was created, so that a sign-in that was interrupted leaves nothing.
 *
 * @returns The cookie to set; nothing if the browser has it, or if there is nothing to choose from.
 */
export function rememberMethod(id: string, cookies: RequestCookies, config: Config): SetCookies {
  const { name, options } = config.cookies.lastMethod
  if (cookies.get(name) === id || !isOneOfSeveral(id, config)) return noCookies
  return setCookie(name, id, options, new Date(config.runtime.now() + maxAge))
}

/** @returns The id of the option that this browser signed in with last; `null` if the page does not offer it. */
export function readLastMethod(cookies: RequestCookies, config: Config): string | null {
  const id = cookies.get(config.cookies.lastMethod.name)
  return id !== undefined && isOneOfSeveral(id, config) ? id : null
}
