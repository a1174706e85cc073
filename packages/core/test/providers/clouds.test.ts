import { createIssuer } from '@postern/testkit'
import t from 'tap'
import type { OAuthConfig } from '../../src/model/provider-config.ts'
import azureAd from '../../src/providers/azure-ad.ts'
import microsoftEntraId from '../../src/providers/microsoft-entra-id.ts'
import { begin, comeBack, origin, parameter, start } from '../flows/start.ts'
import { type Cloud, quirks } from './quirks.ts'

const tenant = '8eaef023-2b34-4da1-9baa-8bc8c9d6a490'
const client = { clientId: 'client', clientSecret: 'secret' }
const photo = Buffer.from([0xff, 0xd8, 0xff])

async function signIn({ configured, document, token, metadata }: Cloud, provider: OAuthConfig) {
  const issuer = createIssuer({ issuer: configured })
  const graph: string[] = []
  issuer.faults.metadata = ({ authorization_response_iss_parameter_supported: _, ...rest }) => ({
    ...rest,
    issuer: document,
    ...metadata
  })
  issuer.faults.callback = ({ searchParams }) => searchParams.delete('iss')
  issuer.faults.idTokenClaims = (claims) => ({ ...claims, tid: tenant, iss: token })
  issuer.faults.respond = ({ url }) => {
    if (!url.includes('/me/photos/')) return null
    graph.push(new URL(url).host)
    return new Response(photo, { headers: { 'content-type': 'image/jpeg' } })
  }
  const { browser, clock } = start({
    providers: [provider],
    runtime: { fetch: (url, init) => issuer.fetch(url, init) }
  })
  const end = await comeBack(
    browser,
    await issuer.authorize(await begin(browser, {}, `/api/auth/signin/${provider.id}`))
  )
  return { end, graph, clock }
}

for (const cloud of quirks.clouds) {
  t.test(`${cloud.quirk}: a user signs in, and the token goes to ${cloud.graph ?? 'no Graph'}`, async (t) => {
    for (const provider of [microsoftEntraId, azureAd]) {
      const { end, graph } = await signIn(cloud, provider({ ...client, issuer: cloud.configured }))
      t.equal(end.location, origin, parameter(end, 'error') ?? cloud.source)
      t.same(graph, cloud.graph === null ? [] : [cloud.graph], cloud.source)
    }
  })
}

t.test('an issuer of no cloud of Microsoft is refused', async (t) => {
  for (const configured of [
    `https://login.microsoftonline.us.attacker.test/${tenant}/v2.0`,
    `https://login.microsoftonline.de/${tenant}/v2.0`,
    `https://contoso.ciamlogin.com/${tenant}/v2.0`
  ]) {
    const issuer = createIssuer({ issuer: configured })
    const { browser } = start({
      providers: [microsoftEntraId({ ...client, issuer: configured })],
      runtime: { fetch: (url, init) => issuer.fetch(url, init) }
    })
    const refused = await browser.submit('/api/auth/signin/microsoft-entra-id', {})
    t.equal(parameter(refused, 'error'), 'OAuthSignin', configured)
  }
})
