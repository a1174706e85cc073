import { type InvalidOption, production } from './invalid-option.ts'

/** Errors in providers. */
export const invalidProviders: readonly InvalidOption[] = [
  [
    'every host trusted, with email',
    ({ mail }) => ({ url: undefined, trustHost: true, providers: [mail] }),
    'trustHost',
    'TRUST_HOST_UNSAFE',
    /expected a list of hosts, got true: with sign-in by email/
  ],
  [
    'no adapter for email',
    ({ mail }) => ({ providers: [mail] }),
    'adapter',
    'ADAPTER_MISSING',
    /expected an adapter, got nothing: sign-in by email.*; pass one, such as sqliteAdapter/
  ],
  [
    'no providers',
    { providers: undefined },
    'providers',
    'OPTION_MISSING',
    /expected a list of providers, got nothing; pass providers/
  ],
  [
    'providers by name',
    ({ hub }) => ({ providers: { github: hub } }),
    'providers',
    'INVALID_TYPE',
    /expected a list, got an object/
  ],
  [
    'a provider that is none',
    { providers: ['github'] },
    'providers[0]',
    'INVALID_PROVIDER',
    /expected a provider, got another string; import it from @postern\/core\/providers/
  ],
  [
    'a feature whose function was not called',
    {
      providers: [
        function password() {
          return { id: 'password', setup: () => ({}) }
        }
      ]
    },
    'providers[0]',
    'INVALID_VALUE',
    /expected a provider or a feature, got a function; call it: password\(\)$/
  ],
  [
    'a feature whose function was not called, in the list of features',
    {
      features: [
        function password() {
          return { id: 'password', setup: () => ({}) }
        }
      ]
    },
    'features[0]',
    'INVALID_VALUE',
    /expected a feature, got a function; call it: password\(\)$/
  ],
  [
    'a provider that was not imported',
    { providers: [undefined] },
    'providers[0]',
    'INVALID_PROVIDER',
    /expected a provider, got nothing/
  ],
  [
    'providers in a separate list',
    ({ hub }) => ({ providers: [[hub]] }),
    'providers[0]',
    'INVALID_PROVIDER',
    /expected a provider, got a list/
  ],
  [
    'a provider that was not waited for',
    ({ hub }) => ({ providers: [Promise.resolve(hub)] }),
    'providers[0]',
    'PROMISE_NOT_AWAITED',
    /expected a provider, got a promise; await it/
  ],
  [
    'a provider of an unknown type',
    { providers: [{ id: 'a', name: 'A', type: 'saml' }] },
    'providers.a.type',
    'INVALID_VALUE',
    /expected oauth, oidc, email or credentials/
  ],
  [
    'a provider without an id',
    ({ hub }) => ({ providers: [{ ...hub, id: undefined }] }),
    'providers[0].id',
    'OPTION_MISSING',
    /expected up to 64 letters/
  ],
  [
    'an id with a slash',
    ({ hub }) => ({ providers: [{ ...hub, id: 'a/b' }] }),
    'providers[0].id',
    'INVALID_VALUE',
    /expected up to 64 letters/
  ],
  [
    'two providers of one id',
    ({ hub }) => ({ providers: [hub, { ...hub, name: 'Other' }] }),
    'providers.github',
    'PROVIDER_ID_DUPLICATE',
    /two providers have this id; give one of them another id/
  ],
  [
    'a provider without a client id',
    ({ github }) => ({ providers: [github()] }),
    'providers.github.clientId',
    'CLIENT_ID_MISSING',
    /expected a string, got nothing; pass clientId or set AUTH_GITHUB_ID/
  ],
  [
    'a provider without a client secret',
    ({ github }) => ({ providers: [github({ clientId: 'a', clientSecret: undefined })] }),
    'providers.github.clientSecret',
    'CLIENT_SECRET_MISSING',
    /expected a string, got nothing; pass clientSecret or set AUTH_GITHUB_SECRET; for a public client, set client/
  ],
  [
    'a client secret that the method requires',
    ({ oidc }) => ({
      providers: [
        oidc({
          id: 'a',
          issuer: 'https://i.test',
          clientId: 'b',
          client: { token_endpoint_auth_method: 'client_secret_post' }
        })
      ]
    }),
    'providers.a.clientSecret',
    'CLIENT_SECRET_MISSING',
    /expected a string for client_secret_post, got nothing; pass clientSecret or set AUTH_A_SECRET$/
  ],
  [
    'a generic provider without options',
    ({ oidc }) => ({ providers: [oidc()] }),
    'providers[0].id',
    'OPTION_MISSING',
    /expected up to 64 letters/
  ],
  [
    'a provider with a misspelled option',
    ({ hub }) => ({ providers: [{ ...hub, options: { clientID: 'a', clientSecret: 'b' } }] }),
    'providers.github.clientID',
    'UNKNOWN_OPTION',
    /did you mean providers\.github\.clientId\?/
  ],
  [
    'a provider without endpoints',
    { providers: [{ id: 'a', name: 'A', type: 'oauth', clientId: 'b' }] },
    'providers.a.issuer',
    'OPTION_MISSING',
    /expected an issuer|expected issuer/
  ],
  [
    'an issuer over http in production',
    ({ oidc }) => ({ providers: [oidc({ id: 'a', issuer: 'http://issuer.test', clientId: 'b' })] }),
    'providers.a.issuer',
    'HTTPS_REQUIRED',
    /expected an https address, got http; allowInsecureRequests: true allows it/,
    production
  ],
  [
    'an issuer that is not an address',
    ({ oidc }) => ({ providers: [oidc({ id: 'a', issuer: 'issuer.test', clientId: 'b' })] }),
    'providers.a.issuer',
    'INVALID_URL',
    /expected an https address/
  ],
  [
    'OAuth 1.0a',
    ({ hub }) => ({ providers: [{ ...hub, version: '1.0A' }] }),
    'providers.github.version',
    'UNSUPPORTED_OPTION',
    /OAuth 1\.0a is not supported; use/
  ],
  [
    'an unknown client authentication',
    ({ hub }) => ({ providers: [{ ...hub, client: { token_endpoint_auth_method: 'basic' } }] }),
    'providers.github.client.token_endpoint_auth_method',
    'INVALID_VALUE',
    /expected .*client_secret_post/
  ],
  [
    'email without a server',
    ({ email }) => ({ providers: [email({ from: 'a@app.test' })] }),
    'providers.email.server',
    'OPTION_MISSING',
    /expected .* mail server, got nothing; set EMAIL_SERVER or pass server/
  ],
  [
    'email without a sender',
    ({ email }) => ({ providers: [email({ server: 'smtp://mail.test' })] }),
    'providers.email.from',
    'OPTION_MISSING',
    /expected an email address, got nothing; set EMAIL_FROM or pass from/
  ],
  [
    'links that last longer than a day',
    ({ email }) => ({ providers: [email({ server: 'smtp://mail.test', from: 'a', maxAge: 86_401 })] }),
    'providers.email.maxAge',
    'OUT_OF_RANGE',
    /expected at most 86400 seconds, got 86401$/
  ],
  [
    'a form without authorize',
    { providers: [{ id: 'form', name: 'Form', type: 'credentials' }] },
    'providers.form.authorize',
    'OPTION_MISSING',
    /expected a function that returns a user or null, got nothing/
  ],
  [
    'no options at all',
    { url: undefined, secret: undefined, providers: undefined },
    'providers',
    'OPTION_MISSING',
    /expected a list of providers/
  ],
  [
    'an issuer that is the address of its document',
    ({ oidc }) => ({
      providers: [oidc({ id: 'a', issuer: 'https://i.test/.well-known/openid-configuration', clientId: 'b' })]
    }),
    'providers.a.issuer',
    'INVALID_VALUE',
    /expected an issuer, got the URL of its metadata document; leave out \/\.well-known\/openid-configuration$/
  ],
  [
    'a mail server without its scheme',
    ({ email }) => ({ providers: [email({ server: 'localhost:1025', from: 'a@app.test' })] }),
    'providers.email.server',
    'INVALID_URL',
    /expected a URL like smtp:\/\/localhost:1025, got another string; write smtp:\/\/ before it$/
  ],
  [
    'a mail server of the web',
    ({ email }) => ({ providers: [email({ server: 'http://mail.test', from: 'a@app.test' })] }),
    'providers.email.server',
    'INVALID_URL',
    /expected a URL like smtp:\/\/localhost:1025, got another string$/
  ],
  [
    'a mail server of the environment without its scheme',
    ({ email }) => ({ providers: [email({ from: 'a@app.test' })] }),
    'providers.email.server',
    'INVALID_URL',
    /write smtp:\/\/ before it$/,
    { EMAIL_SERVER: 'mail.test' }
  ],
  [
    'a mail server whose host has another name',
    ({ email }) => ({ providers: [email({ server: { hostname: 'mail.test', port: 25 }, from: 'a@app.test' })] }),
    'providers.email.server',
    'UNKNOWN_OPTION',
    /unknown option hostname; did you mean host\?$/
  ],
  [
    'a sender without an address',
    ({ email }) => ({ providers: [email({ server: 'smtp://mail.test', from: 'me' })] }),
    'providers.email.from',
    'INVALID_VALUE',
    /expected an email address like App <sign-in@app\.example\.com>, got another string; write/
  ],
  [
    'a wait that no timer can wait',
    ({ github }) => ({ providers: [github({ clientId: 'a', clientSecret: 'b', httpOptions: { timeout: 1e10 } })] }),
    'providers.github.httpOptions.timeout',
    'OUT_OF_RANGE',
    /expected a number of milliseconds above 0, got 10000000000; write at most 2147483647/
  ]
]
