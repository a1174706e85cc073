import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { getSigninUrl, redirectUriAt, signinUrlAt } from '../../src/redirects/redirect-uri.ts'

const sources = join(import.meta.dirname, '../../../src')

t.test('a provider has one sign-in URL and one callback URL, below an origin or a path', async (t) => {
  t.equal(redirectUriAt('https://app.test/api/auth', 'github'), 'https://app.test/api/auth/callback/github')
  t.equal(redirectUriAt('/api/auth', 'github'), '/api/auth/callback/github')
  const base = 'https://app.test/callback/of'
  t.equal(signinUrlAt(base, 'github'), `${base}/signin/github`)
  t.equal(getSigninUrl(redirectUriAt(base, 'github')), signinUrlAt(base, 'github'))
})

t.test('no other file writes these addresses', async (t) => {
  const files = globSync('**/*.ts', { cwd: sources })
  t.ok(files.length > 150, 'the sources were found')
  const writers = files.filter((file) => /\}\/(callback|signin)\/\$\{/.test(readFileSync(join(sources, file), 'utf8')))
  t.same(writers, ['redirects/redirect-uri.ts'])
})
