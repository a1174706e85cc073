import { faulty, type HostileCase, type HostileModules, oneOf } from './hostile-case.ts'

const twice = (name: string): HostileCase =>
  oneOf(name, { callback: ({ searchParams }) => searchParams.append(name, searchParams.get(name) ?? '') })

const withError = (title: string, parameters: Readonly<Record<string, string>>): HostileCase =>
  oneOf(title, {
    callbackError: 'server_error',
    callback: ({ searchParams }) => {
      for (const [name, value] of Object.entries(parameters)) searchParams.set(name, value)
    }
  })

const markup = '<script>alert(1)</script><a href="https://evil.test">help</a>'

const endpoint = (title: string, name: string, address: (issuer: string) => string): HostileCase =>
  oneOf(title, { metadata: (metadata) => ({ ...metadata, [name]: address(metadata.issuer) }) })

/** Notations of addresses outside the public internet. */
const privateHosts = ['127.0.0.1', '[::1]', '169.254.169.254', '0x7f000001', '[::ffff:10.0.0.1]', 'localhost']

/** Faults in authorization responses, and in the URLs of endpoints. */
export const callbackModules: HostileModules = {
  'H06 duplicate code or state': [twice('code'), twice('state')],
  'H07 code from another browser': [oneOf('with its state', {}), oneOf('with the state of this one', {})],
  'H08 callback replayed after success': faulty({}),
  'H09 provider mix-up': [oneOf('to the other', {}), oneOf('from the other', {})],
  'H16 metadata with endpoints that lead elsewhere': [
    endpoint('a script for authorization', 'authorization_endpoint', () => 'javascript:alert(1)//'),
    endpoint('a script for tokens', 'token_endpoint', () => 'javascript:alert(1)'),
    endpoint('plain http for tokens', 'token_endpoint', () => 'http://tokens.evil.test/token'),
    endpoint('plain http for keys', 'jwks_uri', () => 'http://keys.evil.test/jwks'),
    endpoint('no address for userinfo', 'userinfo_endpoint', () => 'userinfo'),
    ...privateHosts.map((host) => endpoint(`${host} for tokens`, 'token_endpoint', () => `https://${host}/token`)),
    endpoint('another path of the issuer', 'token_endpoint', (issuer) => `${issuer}/token?of=another`)
  ],
  'H17 error with markup, line feeds or 1 MB': [
    withError('markup', { error: markup, error_description: markup, error_uri: 'javascript:alert(1)' }),
    withError('line feeds', { error: 'a\r\nset-cookie: a=b', error_description: 'a\r\nb' }),
    withError('10 kB', { error_description: 'a'.repeat(10_000) }),
    withError('1 MB', { error_description: 'a'.repeat(1_000_000) })
  ],
  'H22 TLS with a certificate that does not hold': [
    oneOf('expired', {}),
    oneOf('self-signed', {}),
    oneOf('of another host', {})
  ],
  'H28 callback by the other method': [
    oneOf('POST where GET is expected', {}),
    oneOf('GET where POST is expected', {})
  ],
  'H29 duplicate iss': [twice('iss')]
}
