import t from 'tap'
import { createPostern } from '../../src/index.ts'
import type { OAuthProvider } from '../../src/model/provider.ts'
import type { OAuthConfig, OAuthOptions } from '../../src/model/provider-config.ts'
import { isEmailInIdToken, toIdentity } from '../../src/oauth/profile.ts'
import google from '../../src/providers/google.ts'
import microsoftEntraId from '../../src/providers/microsoft-entra-id.ts'
import oidc from '../../src/providers/oidc.ts'

const url = 'https://app.test'
const issuer = 'https://issuer.test'
const client = { clientId: 'client', clientSecret: 'a secret of the client' }
const silent = { error: () => undefined, warn: () => undefined, debug: () => undefined }

function resolve(config: OAuthConfig): OAuthProvider {
  const secret = 'a secret of more than thirty-two characters'
  const auth = createPostern({ url, secret, providers: [config], logger: silent }, {})
  const provider = auth.configFor(url)?.providers.get(config.id)
  if (provider?.kind !== 'oauth') throw new Error('expected an OAuth provider')
  return provider
}

type Trust = Pick<OAuthOptions, 'verifiesEmail' | 'hooks'>

const any = (trust: Trust): OAuthProvider => resolve(oidc({ id: 'any', issuer, ...client, ...trust }))

/** Whether a sign-in with these claims proves the address, and whether the stored ID Token does later. */
async function proves(provider: OAuthProvider, claims: object): Promise<readonly [now: boolean, later: boolean]> {
  const raw = { iss: provider.issuer, sub: 'ada', name: 'Ada', picture: null, ...claims }
  const { emailVerified, user } = await toIdentity(raw, { tokens: {}, region: null }, provider)
  const id_token = ['{"alg":"RS256"}', JSON.stringify(raw), 'x'].map((part) => Buffer.from(part).toString('base64url'))
  const account = { id_token: id_token.join('.'), providerAccountId: 'ada' }
  return [emailVerified, await isEmailInIdToken(account, user.email ?? '', provider)]
}

const email = 'ada@example.com'
const proven = [true, true]
const claimed = [false, false]

const table: readonly (readonly [string, Trust, object, readonly boolean[]])[] = [
  ['a provider that nobody trusts only claims', {}, { email, email_verified: true }, claimed],
  ['false is no trust', { verifiesEmail: false }, { email, email_verified: true }, claimed],
  ['true trusts it for every address', { verifiesEmail: true }, { email, email_verified: true }, proven],
  ['a missing statement is replaced', { verifiesEmail: true }, { email }, [true, false]],
  ['a statement that it is unverified counts', { verifiesEmail: true }, { email, email_verified: false }, claimed],
  ['a domain in the list', { verifiesEmail: ['Example.COM'] }, { email, email_verified: true }, proven],
  ['another domain', { verifiesEmail: ['example.org'] }, { email, email_verified: true }, claimed],
  ['a subdomain', { verifiesEmail: ['example.com'] }, { email: 'ada@a.example.com' }, claimed],
  ['the end of a domain', { verifiesEmail: ['ample.com'] }, { email, email_verified: true }, claimed],
  ['an empty list', { verifiesEmail: [] }, { email, email_verified: true }, claimed],
  ['a domain in Unicode', { verifiesEmail: ['bücher.example'] }, { email: 'a@xn--bcher-kva.example' }, [true, false]],
  ['a hook', { hooks: { isEmailAuthority: () => true } }, { email, email_verified: true }, proven],
  ['a hook does not replace a statement', { hooks: { isEmailAuthority: () => true } }, { email }, claimed],
  [
    'the option replaces the hook',
    { hooks: { isEmailAuthority: () => true }, verifiesEmail: ['example.org'] },
    { email, email_verified: true },
    claimed
  ]
]

for (const [title, trust, claims, expected] of table)
  t.test(`prove-1: ${title}`, async (t) => {
    t.same(await proves(any(trust), claims), expected)
  })

t.test('prove-1: Google proves the addresses that it hosts', async (t) => {
  const provider = resolve(google(client))
  t.same(await proves(provider, { email: 'Ada@Gmail.com', email_verified: true }), proven)
  t.same(await proves(provider, { email, hd: 'example.com', email_verified: true }), proven)
  t.same(await proves(provider, { email, email_verified: true }), claimed, 'an address of another provider')
  t.same(await proves(provider, { email: 'ada@gmail.com', email_verified: false }), claimed)
  const all = resolve(google({ ...client, verifiesEmail: true }))
  t.same(await proves(all, { email, email_verified: true }), proven, 'the application decides')
  const none = resolve(google({ ...client, verifiesEmail: false }))
  t.same(await proves(none, { email: 'ada@gmail.com', email_verified: true }), claimed)
})

t.test('prove-1: Microsoft proves the addresses of domains that the tenant owns', async (t) => {
  const provider = resolve(microsoftEntraId({ ...client, issuer: 'https://login.microsoftonline.com/common/v2.0' }))
  const [owned] = await proves(provider, { email, xms_edov: true })
  const [other] = await proves(provider, { email, xms_edov: false })
  const [unknown] = await proves(provider, { email, email_verified: true })
  t.same([owned, other, unknown], [true, false, false])
})
