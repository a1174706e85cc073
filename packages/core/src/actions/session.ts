import { joinCookies } from '../cookies/set-cookies.ts'
import { json } from '../http/action-result.ts'
import type { Run } from './route.ts'

/** Returns the session, or `{}` if no user is signed in. HEAD checks that the store responds, and renews nothing. */
export const readSession: Run = async ({ cookies, method }, { sessionReader, sessions }) => {
  if (method === 'HEAD') {
    await sessionReader.readUser(cookies)
    return json({})
  }
  const reading = await sessions.read(cookies)
  return json(reading.session ?? {}, reading.cookies)
}

/** Updates the session with the data of the client, as far as the callbacks allow it. */
export const updateSession: Run = async ({ cookies, body }, { sessions }) => {
  const reading = await sessions.update(cookies, body['data'])
  return json(reading.session ?? {}, joinCookies(reading.cookies))
}
