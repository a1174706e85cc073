import { generateKeyPairSync } from 'node:crypto'
import { chmodSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { gunzipSync } from 'node:zlib'
import { type BrowserResponse, freePort } from '@postern/testkit'
import type { Test } from 'tap'
import { declareTests } from './checks.ts'
import { createFolder, findDebianPackage, startProgram, waitForPort } from './programs.ts'
import type { Addresses } from './site.ts'
import { createVisitor, type Visitor } from './visitor.ts'

const program = '/usr/bin/glewlwyd'
const version = findDebianPackage('glewlwyd')
const sessionCookie = 'GLEWLWYD2_OIDC_SID'
const password = 'the password of Ada'

/** Starts it with a database of its own, as its packages set it up. */
async function startGlewlwyd(t: Test): Promise<string> {
  const folder = createFolder(t)
  const database = join(folder, 'db')
  const db = new DatabaseSync(database)
  db.exec(gunzipSync(readFileSync('/usr/share/doc/glewlwyd/database/init.sqlite3.sql.gz')).toString())
  // The plugin reads this property, which the set-up names in the singular.
  db.exec(`UPDATE g_client_module_instance SET gcmi_parameters = replace(gcmi_parameters,
    '"post_logout_redirect_uri":{"multiple":false', '"post_logout_redirect_uris":{"multiple":true')`)
  db.close()
  chmodSync(database, 0o666)
  const port = await freePort()
  const url = `http://127.0.0.1:${port}`
  const settings = readFileSync('/etc/glewlwyd/glewlwyd.conf', 'utf8')
    .replace(/^port=.*/m, `port=${port}\nbind_address="127.0.0.1"`)
    .replace(/^external_url=.*/m, `external_url="${url}/"`)
    .replace(/^log_mode=.*/m, 'log_mode="console"')
    .replace(/^#? *static_files_path=.*/m, 'static_files_path="/usr/share/glewlwyd/webapp/"')
    .replace(/^@include.*/m, `database = { type = "sqlite3"; path = "${database}"; };`)
  const file = join(folder, 'glewlwyd.conf')
  writeFileSync(file, settings)
  await startProgram(t, { command: [program, `--config-file=${file}`], isReady: /Glewlwyd started on port/ })
  await waitForPort(port)
  return url
}

function getKeys(): string {
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
  return JSON.stringify({ keys: [{ ...privateKey.export({ format: 'jwk' }), kid: 'one', alg: 'RS256', use: 'sig' }] })
}

const getPlugin = (url: string): object => ({
  module: 'oidc',
  name: 'oidc',
  display_name: 'OpenID Connect',
  parameters: {
    iss: `${url}/`,
    'jwks-private': getKeys(),
    'jwks-show': true,
    'default-kid': 'one',
    'jwt-type': 'rsa',
    'jwt-key-size': '256',
    'access-token-duration': 3600,
    'refresh-token-duration': 1_209_600,
    'code-duration': 600,
    'refresh-token-rolling': true,
    'auth-type-code-enabled': true,
    'auth-type-refresh-enabled': true,
    'session-management-allowed': true,
    'back-channel-logout-allowed': true,
    'session-cookie-name': sessionCookie,
    'session-cookie-expiration': 86_400,
    'pkce-allowed': true,
    'subject-type': 'public',
    'name-claim': 'mandatory',
    'email-claim': 'mandatory',
    'oauth-as-iss-id': true
  }
})

/** Sets up the plugin, a user and a client, as its administrator does. */
async function setUp(url: string, { redirectUri, signOutUri, backchannelLogoutUri }: Addresses): Promise<void> {
  const administrator = createVisitor()
  const post = async (path: string, body: object) => {
    const { status, body: text } = await administrator.send('POST', `${url}/api/${path}`, body)
    if (status !== 200) throw new Error(`Glewlwyd: ${path}: ${status} ${text}`)
  }
  await post('auth/', { username: 'admin', password: 'password' })
  await post('mod/plugin/', getPlugin(url))
  const user = { username: 'ada', password, name: 'Ada', email: 'ada@example.com', enabled: true }
  await post('user/', { ...user, scope: ['openid', 'g_profile'] })
  await post('client/', {
    client_id: 'client',
    password: 'a-secret_of.the~client',
    confidential: true,
    enabled: true,
    scope: ['openid'],
    redirect_uri: [redirectUri],
    authorization_type: ['code', 'refresh_token'],
    token_endpoint_auth_method: ['client_secret_basic'],
    post_logout_redirect_uris: [signOutUri],
    backchannel_logout_uri: backchannelLogoutUri
  })
}

/** What the script of its sign-in page sends. */
async function act(visitor: Visitor, { url }: BrowserResponse): Promise<BrowserResponse> {
  const { origin, searchParams } = new URL(url)
  const back = searchParams.get('callback_url') ?? ''
  const sid = searchParams.get('sid')
  if (sid) {
    await visitor.send('DELETE', `${origin}/api/oidc/session/${sid}`)
    await visitor.send('DELETE', `${origin}/api/auth/`)
    return visitor.open(back)
  }
  await visitor.send('POST', `${origin}/api/auth/`, { username: 'ada', password })
  await visitor.send('PUT', `${origin}/api/auth/grant/client`, { scope: 'openid' })
  return visitor.open(`${back}&g_continue`)
}

declareTests({
  name: 'Glewlwyd',
  version: version ?? '',
  skip: version ? false : 'Glewlwyd is not installed',
  user: { name: 'Ada', email: 'ada@example.com' },
  offers: { refresh: true, signOut: true, backchannelLogout: true, fresh: 'always' },
  start: async (t, site) => {
    const url = await startGlewlwyd(t)
    await setUp(url, site)
    const authorization = { params: { scope: 'openid' } }
    return {
      provider: {
        wellKnown: `${url}/api/oidc/.well-known/openid-configuration`,
        issuer: `${url}/`,
        clientSecret: 'a-secret_of.the~client',
        authorization,
        // It states `auth_time: 0`.
        assumeFresh: true
      },
      act,
      leave: async (visitor) => {
        const sid = visitor.at(url).cookies.get(sessionCookie)
        await visitor.send('DELETE', `${url}/api/oidc/session/${sid}`)
      }
    }
  }
})
