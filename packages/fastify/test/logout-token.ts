import { randomUUID } from 'node:crypto'
import type { BrowserResponse } from '@postern/testkit'
import type { Started } from './start.ts'

const event = 'http://schemas.openid.net/event/backchannel-logout'

/** Sends a logout token of the issuer, of a user or of a session that ended there. */
export async function logout(
  { issuer, clock, newBrowser }: Pick<Started, 'issuer' | 'clock' | 'newBrowser'>,
  about: { readonly sub?: string; readonly sid?: string },
  provider: string = 'demo'
): Promise<BrowserResponse> {
  const now = Math.floor(clock.now() / 1000)
  const plain = { iss: issuer.issuer, aud: issuer.clientId, iat: now, exp: now + 120, jti: randomUUID() }
  const token = await issuer.sign({ ...plain, ...about, events: { [event]: {} } }, { typ: 'logout+jwt' })
  const path = `/api/auth/backchannel-logout/${provider}`
  return newBrowser().post(path, `${new URLSearchParams({ logout_token: token })}`)
}
