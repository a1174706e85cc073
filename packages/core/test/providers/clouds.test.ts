import { createIssuer } from '@postern/testkit'
import t from 'tap'
import type { OAuthConfig } from '../../src/model/provider-config.ts'
import azureAd from '../../src/providers/azure-ad.ts'
import microsoftEntraId from '../../src/providers/microsoft-entra-id.ts'
import { begin, comeBack, origin, parameter, start } from '../flows/start.ts'

const tenant = '8eaef023-2b34-4da1-9baa-8bc8c9d6a490'
const client = { clientId: 'client', clientSecret: 'secret' }
const photo = Buffer.from([0xff, 0xd8, 0xff])

interface Cloud {
  /** The configured issuer. */
  readonly configured: string
  /** The issuer in the metadata, if it is another. */
  readonly document?: string
  /** The issuer of the ID Token, if it is another. */
  readonly token?: string
  readonly metadata?: Readonly<Record<string, unknown>>
  /** The host of Microsoft Graph that receives the token; `null` for none. */
  readonly graph: string | null
}

/** The clouds as the documents of Microsoft name them (learn.microsoft.com/graph/deployments and …/authentication-national-cloud). */
const clouds: Readonly<Record<string, Cloud>> = {
  'the global cloud': {
    configured: `https://login.microsoftonline.com/${tenant}/v2.0`,
    metadata: { msgraph_host: 'graph.microsoft.com' },
    graph: 'graph.microsoft.com'
  },
  'the cloud of the US Government': {
    configured: `https://login.microsoftonline.us/${tenant}/v2.0`,
    metadata: { msgraph_host: 'graph.microsoft.us' },
    graph: 'graph.microsoft.us'
  },
  'the cloud of the US Government, Department of Defense': {
    configured: `https://login.microsoftonline.us/${tenant}/v2.0`,
    metadata: { msgraph_host: 'dod-graph.microsoft.us' },
    graph: 'dod-graph.microsoft.us'
  },
  'the cloud of the US Government, any tenant': {
    configured: 'https://login.microsoftonline.us/common/v2.0',
    document: 'https://login.microsoftonline.us/{tenantid}/v2.0',
    token: `https://login.microsoftonline.us/${tenant}/v2.0`,
    graph: 'graph.microsoft.us'
  },
  'the cloud of China': {
    configured: `https://login.partner.microsoftonline.cn/${tenant}/v2.0`,
    metadata: { msgraph_host: 'microsoftgraph.chinacloudapi.cn' },
    graph: 'microsoftgraph.chinacloudapi.cn'
  },
  'the cloud of China, by the name of the tenant, without msgraph_host': {
    configured: 'https://login.partner.microsoftonline.cn/contoso.partner.onmschina.cn/v2.0',
    document: `https://login.partner.microsoftonline.cn/${tenant}/v2.0`,
    graph: 'microsoftgraph.chinacloudapi.cn'
  },
  'an external tenant by its name': {
    configured: 'https://contoso.ciamlogin.com/contoso.onmicrosoft.com/v2.0',
    document: `https://${tenant}.ciamlogin.com/${tenant}/v2.0`,
    metadata: { msgraph_host: 'graph.microsoft.com' },
    graph: 'graph.microsoft.com'
  },
  'a national cloud whose metadata names the Graph of another': {
    configured: `https://login.microsoftonline.us/${tenant}/v2.0`,
    metadata: { msgraph_host: 'graph.microsoft.com' },
    graph: null
  },
  'a national cloud whose metadata names no Graph of Microsoft': {
    configured: `https://login.partner.microsoftonline.cn/${tenant}/v2.0`,
    metadata: { msgraph_host: 'graph.attacker.test' },
    graph: null
  }
}

async function signIn({ configured, document, token, metadata }: Cloud, provider: OAuthConfig) {
  const issuer = createIssuer({ issuer: configured })
  const graph: string[] = []
  issuer.faults.metadata = ({ authorization_response_iss_parameter_supported: _, ...rest }) => ({
    ...rest,
    issuer: document ?? configured,
    ...metadata
  })
  issuer.faults.callback = ({ searchParams }) => searchParams.delete('iss')
  issuer.faults.idTokenClaims = (claims) => ({ ...claims, tid: tenant, iss: token ?? document ?? configured })
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

for (const [title, cloud] of Object.entries(clouds)) {
  t.test(`${title}: a user signs in, and the token goes to ${cloud.graph ?? 'no Graph'}`, async (t) => {
    for (const provider of [microsoftEntraId, azureAd]) {
      const { end, graph } = await signIn(cloud, provider({ ...client, issuer: cloud.configured }))
      t.equal(end.location, origin, parameter(end, 'error') ?? '')
      t.same(graph, cloud.graph === null ? [] : [cloud.graph])
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
