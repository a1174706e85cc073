import t from 'tap'
import { createPostern, type PosternOptions } from '../../src/index.ts'
import email from '../../src/providers/email.ts'
import github from '../../src/providers/github.ts'
import google from '../../src/providers/google.ts'
import oidc from '../../src/providers/oidc.ts'

const client = { clientId: 'client', clientSecret: 'a secret of the client', assumeFresh: true }
const company = { ...client, id: 'company', name: 'Company', issuer: 'https://login.company.example' }

/** The warnings at start about addresses that nothing proves. */
function warnings(options: Partial<PosternOptions>): readonly string[] {
  const lines: string[] = []
  createPostern({
    url: 'https://app.test',
    secret: 'a secret of the tests, 32 characters or more',
    providers: [oidc(company)],
    features: [{ id: 'keys', needsRecentSignIn: true, setup: () => ({}) }],
    logger: { warn: (_code, text) => void lines.push(String(text)) },
    ...options
  })
  return lines.filter((line) => line.includes('nothing proves'))
}

t.test('prove-2: startup warns if users of a provider can never prove their address', async (t) => {
  t.match(warnings({}), [
    /^providers: .* users of company, .* \(features\.keys\); pass mailer: email\(\{ server, from \}\), or set verifiesEmail/
  ])
  t.match(warnings({ providers: [oidc(company), github(client)] }), [/users of company, so/], 'only those of that one')
  t.equal(warnings({ providers: [oidc({ ...company, verifiesEmail: [] })] }).length, 1)
  t.equal(warnings({ providers: [github({ ...client, verifiesEmail: false })] }).length, 1)
})

t.test('startup does not warn if an address can be proven, or if no feature needs it', async (t) => {
  const mailer = email({ server: 'smtp://mail.test', from: 'a@app.test' })
  t.same(warnings({ features: [] }), [])
  t.same(warnings({ mailer }), [])
  t.same(warnings({ providers: [oidc({ ...company, verifiesEmail: ['company.example'] })] }), [])
  t.same(warnings({ providers: [oidc({ ...company, verifiesEmail: true }), github(client), google(client)] }), [])
})
