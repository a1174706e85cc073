import * as oauth from 'oauth4webapi'
import t from 'tap'
import { OutboundError } from '../../src/node/guarded-fetch.ts'
import { protocolError, type Step } from '../../src/oauth/protocol-error.ts'

const wellKnown = 'https://issuer.test/.well-known/openid-configuration'

/** The message of the error for operators. */
const getMessage = (step: Step, cause: Error): string =>
  protocolError('OAuthCallback', { id: 'demo', wellKnown, hooks: {} }, step, cause).message

t.test('an error of discovery names the address of the document', async (t) => {
  t.equal(
    getMessage('discovery', new TypeError('expected status 200, got 404')),
    `demo: discovery failed: ${wellKnown}: expected status 200, got 404; is the issuer correct, and can this server reach it?`
  )
  t.match(getMessage('userinfo', new TypeError('expected JSON')), /^demo: userinfo failed: expected JSON; /)
})

t.test('a private address is reported with the option that allows it', async (t) => {
  for (const step of ['discovery', 'token request'] as const)
    t.match(
      getMessage(step, new OutboundError('the address is not public')),
      /the address is not public; .*allowInsecureRequests: true/
    )
  t.notMatch(getMessage('discovery', new OutboundError('the host name has no address')), /allowInsecureRequests/)
})

t.test('a user who cancels is no reason for advice', async (t) => {
  const denied = (error: string) =>
    new oauth.AuthorizationResponseError('authorization response from the server is an error', {
      cause: new URLSearchParams({ error })
    })
  t.match(
    getMessage('authorization response', denied('access_denied')),
    /: the server said "access_denied", as the browser reports it$/
  )
  t.match(
    getMessage('authorization response', denied('server_error')),
    /"server_error", as the browser reports it; is the redirect URI registered/
  )
})
