import { type Mistake, production } from './invalid-option.ts'

/** Mistakes in the ways to sign in. */
export const mistakesOfProviders: readonly Mistake[] = [
  [
    'every host trusted, with e-mail',
    ({ mail }) => ({ url: undefined, trustHost: true, providers: [mail] }),
    'trustHost',
    /does not go with sign-in by e-mail.*list the hosts/
  ],
  [
    'no adapter for e-mail',
    ({ mail }) => ({ providers: [mail] }),
    'adapter',
    /expected an adapter, got nothing: sign-in by e-mail.*; pass one, such as sqliteAdapter/
  ],
  ['no providers', { providers: undefined }, 'providers', /expected a list of providers, got nothing; pass providers/],
  ['providers by name', ({ hub }) => ({ providers: { github: hub } }), 'providers', /expected a list, got an object/],
  [
    'a provider that is none',
    { providers: ['github'] },
    'providers[0]',
    /expected a provider, got another text; import it from @postern\/core\/providers/
  ],
  ['a provider that was not imported', { providers: [undefined] }, 'providers[0]', /expected a provider, got nothing/],
  [
    'providers in a list of their own',
    ({ hub }) => ({ providers: [[hub]] }),
    'providers[0]',
    /expected a provider, got a list/
  ],
  [
    'a provider that was not waited for',
    ({ hub }) => ({ providers: [Promise.resolve(hub)] }),
    'providers[0]',
    /expected a provider, got a promise; await it/
  ],
  [
    'a provider of an unknown type',
    { providers: [{ id: 'a', name: 'A', type: 'saml' }] },
    'providers.a.type',
    /expected oauth, oidc, email or credentials/
  ],
  [
    'a provider without an id',
    ({ hub }) => ({ providers: [{ ...hub, id: undefined }] }),
    'providers[0].id',
    /expected up to 64 letters/
  ],
  [
    'an id with a slash',
    ({ hub }) => ({ providers: [{ ...hub, id: 'a/b' }] }),
    'providers[0].id',
    /expected up to 64 letters/
  ],
  [
    'two providers of one id',
    ({ hub }) => ({ providers: [hub, { ...hub, name: 'Other' }] }),
    'providers.github',
    /two providers have this id; give one of them another id/
  ],
  [
    'a provider without a client id',
    ({ github }) => ({ providers: [github()] }),
    'providers.github.clientId',
    /expected text, got nothing; pass clientId or set AUTH_GITHUB_ID/
  ],
  [
    'a provider with a misspelt option',
    ({ hub }) => ({ providers: [{ ...hub, options: { clientID: 'a', clientSecret: 'b' } }] }),
    'providers.github.clientID',
    /did you mean providers\.github\.clientId\?/
  ],
  [
    'a provider without endpoints',
    { providers: [{ id: 'a', name: 'A', type: 'oauth', clientId: 'b' }] },
    'providers.a.issuer',
    /expected an issuer|expected issuer/
  ],
  [
    'an issuer over http in production',
    ({ oidc }) => ({ providers: [oidc({ id: 'a', issuer: 'http://issuer.test', clientId: 'b' })] }),
    'providers.a.issuer',
    /expected an https address, got http; allowInsecureRequests: true allows it/,
    production
  ],
  [
    'an issuer that is no address',
    ({ oidc }) => ({ providers: [oidc({ id: 'a', issuer: 'issuer.test', clientId: 'b' })] }),
    'providers.a.issuer',
    /expected an https address/
  ],
  [
    'OAuth 1.0a',
    ({ hub }) => ({ providers: [{ ...hub, version: '1.0A' }] }),
    'providers.github.version',
    /OAuth 1\.0a is not supported; use/
  ],
  [
    'an unknown client authentication',
    ({ hub }) => ({ providers: [{ ...hub, client: { token_endpoint_auth_method: 'basic' } }] }),
    'providers.github.client.token_endpoint_auth_method',
    /expected .*client_secret_post/
  ],
  [
    'e-mail without a server',
    ({ email }) => ({ providers: [email({ from: 'a@app.test' })] }),
    'providers.email.server',
    /expected .* mail server, got nothing; set EMAIL_SERVER or pass server/
  ],
  [
    'e-mail without a sender',
    ({ email }) => ({ providers: [email({ server: 'smtp://mail.test' })] }),
    'providers.email.from',
    /expected an address, got nothing; set EMAIL_FROM or pass from/
  ],
  [
    'links that last longer than a day',
    ({ email }) => ({ providers: [email({ server: 'smtp://mail.test', from: 'a', maxAge: 86_401 })] }),
    'providers.email.maxAge',
    /expected at most 86400 seconds, got 86401$/
  ],
  [
    'a form without authorize',
    { providers: [{ id: 'form', name: 'Form', type: 'credentials' }] },
    'providers.form.authorize',
    /expected a function that returns a user or null, got nothing/
  ],
  [
    'no options at all',
    { url: undefined, secret: undefined, providers: undefined },
    'providers',
    /expected a list of providers/
  ],
  [
    'an issuer that is the address of its document',
    ({ oidc }) => ({
      providers: [oidc({ id: 'a', issuer: 'https://i.test/.well-known/openid-configuration', clientId: 'b' })]
    }),
    'providers.a.issuer',
    /expected an issuer, got the address of its document; leave \/\.well-known\/openid-configuration out$/
  ],
  [
    'a mail server without its scheme',
    ({ email }) => ({ providers: [email({ server: 'localhost:1025', from: 'a@app.test' })] }),
    'providers.email.server',
    /expected an address like smtp:\/\/localhost:1025, got another text; write smtp:\/\/ before it$/
  ],
  [
    'a mail server of the web',
    ({ email }) => ({ providers: [email({ server: 'http://mail.test', from: 'a@app.test' })] }),
    'providers.email.server',
    /expected an address like smtp:\/\/localhost:1025, got another text$/
  ],
  [
    'a mail server of the environment without its scheme',
    ({ email }) => ({ providers: [email({ from: 'a@app.test' })] }),
    'providers.email.server',
    /write smtp:\/\/ before it$/,
    { EMAIL_SERVER: 'mail.test' }
  ],
  [
    'a mail server whose host has another name',
    ({ email }) => ({ providers: [email({ server: { hostname: 'mail.test', port: 25 }, from: 'a@app.test' })] }),
    'providers.email.server',
    /there is no such option hostname; did you mean host\?$/
  ],
  [
    'a sender without an address',
    ({ email }) => ({ providers: [email({ server: 'smtp://mail.test', from: 'me' })] }),
    'providers.email.from',
    /expected an address like App <sign-in@app\.example\.com>, got another text; write/
  ],
  [
    'a wait that no timer can wait',
    ({ github }) => ({ providers: [github({ clientId: 'a', clientSecret: 'b', httpOptions: { timeout: 1e10 } })] }),
    'providers.github.httpOptions.timeout',
    /expected a number of milliseconds above 0, got 10000000000; write at most 2147483647/
  ]
]
