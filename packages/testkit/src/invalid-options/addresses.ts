import { type Mistake, production } from './invalid-option.ts'

/** Mistakes in addresses and paths, and in the cookies that belong to them. */
export const mistakesOfAddresses: readonly Mistake[] = [
  [
    'a base path that goes up',
    { basePath: '/api/../auth' },
    'basePath',
    /expected a path like \/api\/auth.*; write \/api\/auth$/
  ],
  [
    'a base path with two slashes',
    { basePath: '/api//auth' },
    'basePath',
    /expected a path like.*; write \/api\/auth$/
  ],
  ['a base path with a query', { basePath: '/auth?a' }, 'basePath', /expected a path like/],
  ['a base path with a fragment', { basePath: '/auth#a' }, 'basePath', /expected a path like/],
  [
    'a sign-in page that sends to itself',
    { pages: { signIn: '/api/auth/signin' } },
    'pages.signIn',
    /expected a page of the application, got one of our own routes, .*; leave it out for the built-in page$/
  ],
  [
    'a sign-in page below ours',
    { pages: { signIn: '/api/auth/signin/credentials?a=b' } },
    'pages.signIn',
    /got one of our own routes/
  ],
  [
    'a sign-in page that is ours, as an address',
    { pages: { signIn: 'https://app.test/api/auth/signin/' } },
    'pages.signIn',
    /got one of our own routes/
  ],
  [
    'a sign-out page that sends to itself',
    { pages: { signOut: '/api/auth/signout' } },
    'pages.signOut',
    /got one of our own routes/
  ],
  [
    'an error page that sends to itself',
    { basePath: '/auth', pages: { error: '/auth/error' } },
    'pages.error',
    /got one of our own routes/
  ],
  [
    'a page for mails under way that sends to itself',
    { pages: { verifyRequest: '/api/auth/verify-request' } },
    'pages.verifyRequest',
    /got one of our own routes/
  ],
  [
    'a welcome page that is ours',
    { pages: { newUser: '/api/auth/welcome' } },
    'pages.newUser',
    /got one of our own routes, .*; write true for the built-in page$/
  ],
  [
    'a domain with a scheme',
    { cookies: { sessionToken: { options: { domain: 'https://app.test' } } } },
    'cookies.sessionToken.options.domain',
    /expected a domain like example\.com, without scheme, port and path/
  ],
  [
    'a domain with a port',
    { cookies: { sessionToken: { options: { domain: 'app.test:3000' } } } },
    'cookies.sessionToken.options.domain',
    /expected a domain like example\.com, without scheme, port and path/
  ],
  [
    'a domain that is a top-level one',
    { cookies: { sessionToken: { options: { domain: 'test' } } } },
    'cookies.sessionToken.options.domain',
    /expected a domain like example\.com, got a top-level domain; no browser keeps/
  ],
  [
    'a domain of another site',
    { cookies: { csrfToken: { options: { domain: '.other.test' } } } },
    'cookies.csrfToken.options.domain',
    /expected the host of url, or a domain above it; .*; leave it out/,
    production
  ],
  [
    'a domain below the site',
    { cookies: { csrfToken: { options: { domain: 'www.app.test' } } } },
    'cookies.csrfToken.options.domain',
    /expected the host of url, or a domain above it/,
    production
  ],
  [
    'a domain that only ends like the site',
    { cookies: { csrfToken: { options: { domain: 'pp.test' } } } },
    'cookies.csrfToken.options.domain',
    /expected the host of url, or a domain above it/,
    production
  ],
  [
    'a path without its slash',
    { cookies: { sessionToken: { options: { path: 'app' } } } },
    'cookies.sessionToken.options.path',
    /expected a path like \/, which begins with a slash/
  ],
  [
    'a name that leaves a cookie no room',
    { cookies: { sessionToken: { name: 's'.repeat(200) } } },
    'constants.cookieChunkSize',
    /expected at most 3893 beside the name of the session cookie, got 3933; browsers drop/
  ],
  [
    'a cookie that lasts longer than any date',
    { cookies: { sessionToken: { options: { maxAge: 1e15 } } } },
    'cookies.sessionToken.options.maxAge',
    /expected a number of seconds above 0, got 1000000000000000; write at most 100000000000/
  ]
]
