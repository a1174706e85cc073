import { joinCookies } from '../cookies/set-cookies.ts'
import { json } from '../http/action-result.ts'
import { chain } from '../model/awaitable.ts'
import type { Run } from './route.ts'

/** Returns the session, or `{}` or `null` if no user is signed in. HEAD checks that the store responds, and renews nothing. */
export const readSession: Run = ({ cookies, method }, { sessionReader, sessions, signedOutSession }) => {
  if (method === 'HEAD') return sessionReader.readUser(cookies).then(() => json({}))
  return chain(sessions.read(cookies), (reading) => json(reading.session ?? signedOutSession, reading.cookies))
}

/** Updates the session with the data of the client, as far as the callbacks allow it. */
export const updateSession: Run = async ({ cookies, body }, { sessions, signedOutSession }) => {
  const reading = await sessions.update(cookies, body['data'])
  return json(reading.session ?? signedOutSession, joinCookies(reading.cookies))
}
