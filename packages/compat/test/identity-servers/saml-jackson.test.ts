import { join } from 'node:path'
import type { OAuthConfig } from '@postern/core'
import boxyHQSAML from '@postern/core/providers/boxyhq-saml'
import { declareTests } from './checks.ts'
import { installPackages, jacksonPackages } from './packages.ts'
import { startProgram } from './programs.ts'

const program = join(import.meta.dirname, 'saml-jackson-server.js')
const version = jacksonPackages['@boxyhq/saml-jackson']

/** What the server says of itself when it is ready. */
interface Ready {
  readonly issuer: string
  readonly clientId: string
  readonly clientSecret: string
}

/** The module, with tenant and product as parameters; the id is that of the tests. */
function getModule({ issuer, clientSecret }: Ready): Partial<OAuthConfig> {
  const authorization = { params: { provider: 'saml', tenant: 'tenant', product: 'product' } }
  const { id: _, ...module } = boxyHQSAML({ issuer, clientId: 'dummy', clientSecret, authorization })
  return module
}

for (const { name, user, getProvider } of [
  // The names are in claims that OpenID Connect does not have.
  { name: 'saml-jackson', user: { name: null }, getProvider: (ready: Ready) => ready },
  { name: 'saml-jackson, by the module boxyhq-saml', user: { name: 'Ada Lovelace' }, getProvider: getModule }
])
  declareTests({
    name,
    version,
    user: { ...user, email: 'ada@example.com' },
    offers: { refresh: false, signOut: false, backchannelLogout: false, fresh: false },
    start: async (t, { redirectUri }) => {
      await installPackages('saml-jackson', jacksonPackages)
      const [, ready = ''] = await startProgram(t, {
        command: [process.execPath, program, redirectUri],
        isReady: /^ready (.+)$/m,
        isOurs: true
      })
      return { provider: getProvider(JSON.parse(ready)), act: (visitor, page) => visitor.fill(page, 'form') }
    }
  })
