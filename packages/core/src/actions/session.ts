import { joinCookies } from '../cookies/set-cookies.ts'
import { json } from '../http/action-result.ts'
import type { Run } from './row.ts'

/** The current session, `{}` for nobody; HEAD looks whether the store answers, and renews nothing. */
export const readSession: Run = async ({ cookies, method }, { finder, sessions }) => {
  if (method === 'HEAD') {
    await finder.identify(cookies)
    return json({})
  }
  const reading = await sessions.read(cookies)
  return json(reading.session ?? {}, reading.cookies)
}

/** Changes the session with what the client sent, as far as the callbacks let it. */
export const updateSession: Run = async ({ cookies, body }, { sessions }) => {
  const reading = await sessions.update(cookies, body['data'])
  return json(reading.session ?? {}, joinCookies(reading.cookies))
}
