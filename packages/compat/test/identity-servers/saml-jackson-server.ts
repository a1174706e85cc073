/**
 * saml-jackson in a process of its own, because timers of it survive `close`. The argument is the redirect URI.
 */
import { execFileSync } from 'node:child_process'
import { generateKeyPairSync } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { installPackages, jacksonPackages } from './packages.ts'
import { type Handler, serve } from './web-server.ts'

const entityId = 'https://idp.test/'
const audience = 'https://saml.test'

/** A key and its certificate. */
interface Certificate {
  readonly privateKey: string
  readonly publicKey: string
}

/** What an answer may be: an address, or a page. */
interface Answer {
  readonly redirect_url?: string
  readonly authorize_form?: string
}

interface Controllers {
  readonly connectionAPIController: {
    readonly createSAMLConnection: (body: object) => Promise<{ clientID: string; clientSecret: string }>
  }
  readonly oauthController: {
    readonly authorize: (query: object) => Promise<Answer>
    readonly samlResponse: (body: object) => Promise<Answer>
    readonly token: (body: object, authorization?: string | null) => Promise<object>
    readonly userInfo: (token: string) => Promise<object>
  }
  readonly oidcDiscoveryController: {
    readonly openidConfig: () => object
    readonly jwks: () => Promise<object>
  }
}

/** The functions of its modules, as far as they are used here. */
interface Modules {
  readonly controllers: (options: object) => Promise<Controllers>
  readonly saml: {
    readonly createIdPMetadataXML: (options: object) => string
    readonly createSAMLResponse: (options: object) => Promise<string>
    readonly parseSAMLRequest: (text: string, isPost: boolean) => Promise<{ id: string; acsUrl: string }>
    readonly decodeBase64: (text: string, isDeflated: boolean) => Promise<string>
  }
}

async function load(): Promise<Modules> {
  const load = await installPackages('saml-jackson', jacksonPackages)
  const [jackson, saml20] = await Promise.all(['@boxyhq/saml-jackson', '@boxyhq/saml20'].map(load))
  return { controllers: Object(jackson).controllers, saml: Object(saml20?.['default']).default }
}

/** The key of the SAML identity provider. */
function createCertificate(): Certificate {
  const folder = mkdtempSync(join(tmpdir(), 'postern-server-'))
  const [key, certificate] = ['key.pem', 'certificate.pem'].map((name) => join(folder, name))
  const subject = ['-subj', '/CN=idp.test', '-days', '2', '-keyout', `${key}`, '-out', `${certificate}`]
  execFileSync('openssl', ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', ...subject], { stdio: 'ignore' })
  const made = { privateKey: readFileSync(`${key}`, 'utf8'), publicKey: readFileSync(`${certificate}`, 'utf8') }
  rmSync(folder, { recursive: true })
  return made
}

const toBase64 = (text: string): string => Buffer.from(text).toString('base64')

function getOptions(url: string): object {
  const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
  const jwtSigningKeys = {
    private: toBase64(privateKey.export({ type: 'pkcs8', format: 'pem' }).toString()),
    public: toBase64(publicKey.export({ type: 'spki', format: 'pem' }).toString())
  }
  return {
    externalUrl: url,
    samlPath: '/saml',
    samlAudience: audience,
    db: { engine: 'mem' },
    openid: { jwsAlg: 'RS256', jwtSigningKeys },
    noAnalytics: true,
    logger: {}
  }
}

/** A SAML identity provider whose user is signed in: its page posts the answer to the server. */
async function answerSaml(
  { searchParams }: URL,
  { parseSAMLRequest, decodeBase64, createSAMLResponse }: Modules['saml'],
  certs: Certificate
): Promise<Response> {
  const request = await decodeBase64(searchParams.get('SAMLRequest') ?? '', true)
  const { id: requestId, acsUrl } = await parseSAMLRequest(request, false)
  const claims = { id: 'ada', email: 'ada@example.com', firstName: 'Ada', lastName: 'Lovelace' }
  const xml = await createSAMLResponse({
    audience,
    issuer: entityId,
    acsUrl,
    requestId,
    claims: { email: claims.email, raw: claims },
    ...certs
  })
  const fields = { SAMLResponse: toBase64(xml), RelayState: searchParams.get('RelayState') ?? '' }
  const inputs = Object.entries(fields).map(([name, value]) => `<input type="hidden" name="${name}" value="${value}">`)
  const page = `<form method="post" action="${acsUrl}">${inputs.join('')}</form>`
  return new Response(page, { headers: { 'content-type': 'text/html' } })
}

/** The routes of its service around the controllers. */
function getHandler({ oauthController: oauth, oidcDiscoveryController: oidc }: Controllers): Handler {
  const go = ({ redirect_url, authorize_form }: Answer): Response =>
    redirect_url
      ? new Response(null, { status: 302, headers: { location: redirect_url } })
      : new Response(authorize_form, { headers: { 'content-type': 'text/html' } })
  return async (request) => {
    const { pathname, searchParams } = new URL(request.url)
    const authorization = request.headers.get('authorization')
    const fields = async () => Object.fromEntries(new URLSearchParams(await request.text()))
    if (pathname === '/.well-known/openid-configuration') return Response.json(oidc.openidConfig())
    if (pathname === '/oauth/jwks') return Response.json(await oidc.jwks())
    if (pathname === '/api/oauth/authorize') return go(await oauth.authorize(Object.fromEntries(searchParams)))
    if (pathname === '/saml') return go(await oauth.samlResponse(await fields()))
    if (pathname === '/api/oauth/token') return Response.json(await oauth.token(await fields(), authorization))
    return Response.json(await oauth.userInfo((authorization ?? '').replace('Bearer ', '')))
  }
}

const { controllers, saml } = await load()
const certs = createCertificate()
const untilKilled = { teardown: () => undefined }
const [, , redirectUri] = process.argv
await serve(untilKilled, async (issuer) => {
  const running = await controllers(getOptions(issuer))
  const rawMetadata = saml.createIdPMetadataXML({
    ssoUrl: `${issuer}/idp`,
    entityId,
    x509cert: certs.publicKey,
    wantAuthnRequestsSigned: false
  })
  const { clientID: clientId, clientSecret } = await running.connectionAPIController.createSAMLConnection({
    tenant: 'tenant',
    product: 'product',
    defaultRedirectUrl: redirectUri,
    redirectUrl: [redirectUri],
    rawMetadata
  })
  const handle = getHandler(running)
  console.log(`ready ${JSON.stringify({ issuer, clientId, clientSecret })}`)
  return (request) => {
    const address = new URL(request.url)
    return address.pathname === '/idp' ? answerSaml(address, saml, certs) : handle(request)
  }
})
