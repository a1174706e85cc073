/** The value of a cookie of a request; `null` if it is not sent. */
export function readCookie(header: string | undefined, name: string): string | null {
  if (header === undefined) return null
  for (const pair of header.split('; ')) {
    if (pair.startsWith(name) && pair[name.length] === '=') return decodeURIComponent(pair.slice(name.length + 1))
  }
  return null
}

/** @param maxAge - Seconds; `null`: until the browser is closed. @param path - @defaultValue `/` */
export function writeCookie(name: string, value: string, maxAge: number | null, path: string = '/'): string {
  const age = maxAge === null ? '' : `; Max-Age=${maxAge}; Expires=${dateText(maxAge)}`
  return `${name}=${encodeURIComponent(value)}${age}; Path=${path}; HttpOnly; SameSite=Lax`
}

export const clearedCookie = (name: string): string =>
  `${name}=; Max-Age=0; Expires=Thu, 01 Jan 1970 00:00:00 GMT; Path=/; HttpOnly; SameSite=Lax`

const dates = new Map<number, string>()

/** The same few ages occur over and over within a second. */
function dateText(maxAge: number): string {
  const second = Math.floor(Date.now() / 1000) + maxAge
  const known = dates.get(second)
  if (known !== undefined) return known
  const text = new Date(second * 1000).toUTCString()
  if (dates.size >= 20) dates.clear()
  dates.set(second, text)
  return text
}
