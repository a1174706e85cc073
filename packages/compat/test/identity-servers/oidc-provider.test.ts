import { generateKeyPairSync } from 'node:crypto'
import { createServer } from 'node:http'
import { createRequire } from 'node:module'
import type { AddressInfo } from 'node:net'
import Provider, { type Configuration } from 'oidc-provider'
import { declareTests } from './checks.ts'
import type { Addresses } from './site.ts'

const { version }: { version: string } = createRequire(import.meta.url)('oidc-provider/package.json')

function getKey() {
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
  const { kty = '', ...rest } = privateKey.export({ format: 'jwk' })
  return { ...rest, kty, kid: 'one', alg: 'RS256', use: 'sig' }
}

/** The server's dispatcher refuses loopback addresses, so that it cannot reach an application on this machine. */
const reach: Configuration['fetch'] = (url, init) => fetch(url, Object.assign({}, init, { dispatcher: undefined }))

const getConfiguration = ({ redirectUri, signOutUri, backchannelLogoutUri }: Addresses): Configuration => ({
  clients: [
    {
      client_id: 'client',
      client_secret: 'a secret',
      grant_types: ['authorization_code', 'refresh_token'],
      redirect_uris: [redirectUri],
      post_logout_redirect_uris: [signOutUri],
      backchannel_logout_uri: backchannelLogoutUri,
      require_auth_time: true
    }
  ],
  fetch: reach,
  jwks: { keys: [getKey()] },
  claims: { openid: ['sub'], email: ['email', 'email_verified'], profile: ['name'] },
  cookies: { keys: ['a key of the tests'] },
  features: { backchannelLogout: { enabled: true }, rpInitiatedLogout: { enabled: true } },
  findAccount: (_ctx, accountId) => ({
    accountId,
    claims: async () => ({ sub: accountId, name: 'Ada', email: 'ada@example.com', email_verified: true })
  }),
  issueRefreshToken: async () => true
})

declareTests({
  name: 'oidc-provider',
  version,
  user: { name: 'Ada', email: 'ada@example.com' },
  offers: { refresh: true, signOut: true, backchannelLogout: true, fresh: 'always' },
  start: async (t, site) => {
    const server = createServer()
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    t.teardown(() => {
      server.closeAllConnections()
      return new Promise((resolve) => server.close(resolve))
    })
    const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    server.on('request', new Provider(issuer, getConfiguration(site)).callback())
    return {
      provider: { issuer, clientSecret: 'a secret' },
      act: (visitor, page) => {
        if (page.body.includes('op.logoutForm')) return visitor.fill(page, 'button[name=logout]')
        const isLogin = page.body.includes('name="login"')
        return visitor.fill(page, 'form', isLogin ? { login: 'ada', password: 'any' } : {})
      },
      leave: async (visitor) => {
        const page = await visitor.open(`${issuer}/session/end`)
        await visitor.fill(page, 'button[name=logout]')
      }
    }
  }
})
