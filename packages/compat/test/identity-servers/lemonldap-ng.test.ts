import { generateKeyPairSync } from 'node:crypto'
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type BrowserResponse, freePort } from '@postern/testkit'
import type { Test } from 'tap'
import { declareTests } from './checks.ts'
import { createFolder, findDebianPackage, startProgram } from './programs.ts'
import type { Addresses } from './site.ts'
import type { Visitor } from './visitor.ts'

const program = '/usr/share/lemonldap-ng/portal/htdocs/index.psgi'
/** The portal does not start without these, although its package does not depend on them. */
const packages = ['libgd-securityimage-perl', 'libimage-magick-perl', 'libio-string-perl', 'libstring-random-perl']
const secret = 'a-secret_of.the~client'

const version = findDebianPackage('liblemonldap-ng-portal-perl')
const missing = packages.filter((name) => findDebianPackage(name) === null)

/** The configuration that its package brings, with a client. */
function getConfiguration(folder: string, url: string, { redirectUri, signOutUri }: Addresses): object {
  const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
  const shipped: object = JSON.parse(readFileSync('/var/lib/lemonldap-ng/conf/lmConf-1.json', 'utf8'))
  const client = {
    oidcRPMetaDataOptionsClientID: 'client',
    oidcRPMetaDataOptionsClientSecret: secret,
    oidcRPMetaDataOptionsRedirectUris: redirectUri,
    oidcRPMetaDataOptionsPostLogoutRedirectUris: signOutUri,
    oidcRPMetaDataOptionsRefreshToken: 1,
    oidcRPMetaDataOptionsIDTokenSignAlg: 'RS256'
  }
  return {
    ...shipped,
    domain: '127.0.0.1',
    portal: `${url}/`,
    key: 'a key of the tests',
    registerDB: 'Null',
    notification: 0,
    globalStorageOptions: { Directory: join(folder, 'sessions'), LockDirectory: join(folder, 'locks') },
    persistentStorageOptions: { Directory: join(folder, 'persistent'), LockDirectory: join(folder, 'locks') },
    localSessionStorageOptions: { cache_root: join(folder, 'cache'), namespace: 'sessions', default_expires_in: 600 },
    issuerDBOpenIDConnectActivation: 1,
    oidcServiceMetaDataIssuer: `${url}/`,
    oidcServiceAllowAuthorizationCodeFlow: 1,
    oidcServiceKeyIdSig: 'one',
    oidcServicePrivateKeySig: privateKey.export({ type: 'pkcs1', format: 'pem' }),
    oidcServicePublicKeySig: publicKey.export({ type: 'spki', format: 'pem' }),
    oidcRPMetaDataOptions: { app: client },
    oidcRPMetaDataExportedVars: { app: { email: 'mail', name: 'cn' } }
  }
}

const getSettings = (folder: string): string => `[all]
logLevel = notice
[configuration]
type = File
dirName = ${folder}/conf
localStorage = Cache::FileCache
localStorageOptions = { 'namespace' => 'configuration', 'default_expires_in' => 600, 'cache_root' => '${folder}/cache' }
[portal]
staticPrefix = /static
templateDir = /usr/share/lemonldap-ng/portal/templates
languages = en
`

/** Starts the portal with a folder of its own. */
async function startPortal(t: Test, site: Addresses): Promise<string> {
  const folder = createFolder(t)
  const port = await freePort()
  const url = `http://127.0.0.1:${port}`
  for (const name of ['conf', 'sessions', 'persistent', 'locks', 'cache']) {
    mkdirSync(join(folder, name))
    chmodSync(join(folder, name), 0o777)
  }
  writeFileSync(join(folder, 'conf/lmConf-1.json'), JSON.stringify(getConfiguration(folder, url, site)))
  const settings = join(folder, 'lemonldap-ng.ini')
  writeFileSync(settings, getSettings(folder))
  await startProgram(t, {
    command: ['plackup', '--host', '127.0.0.1', '--port', `${port}`, program],
    env: { LLNG_DEFAULTCONFFILE: settings },
    isReady: /Accepting connections at/
  })
  return url
}

/** Fills in whichever form the portal shows: signing in, the consent, or the question before the sign-out. */
function act(visitor: Visitor, page: BrowserResponse): Promise<BrowserResponse> {
  const isLogin = page.body.includes('name="password"')
  return visitor.fill(page, 'form', isLogin ? { user: 'dwho', password: 'dwho' } : {})
}

declareTests({
  name: 'LemonLDAP::NG',
  version: version ?? '',
  skip: version && missing.length === 0 ? false : `LemonLDAP::NG or ${packages.join(', ')} is not installed`,
  user: { name: 'Doctor Who', email: 'dwho@badwolf.org' },
  offers: { refresh: true, signOut: true, backchannelLogout: false, fresh: 'unless recent' },
  start: async (t, site) => {
    const url = await startPortal(t, site)
    return { provider: { issuer: `${url}/`, clientSecret: secret }, act }
  }
})
