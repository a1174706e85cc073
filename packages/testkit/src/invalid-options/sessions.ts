import { type Mistake, production } from './invalid-option.ts'

/** Mistakes in how sessions are kept: cookies, tokens, adapter. */
export const mistakesOfSessions: readonly Mistake[] = [
  [
    'a store of revocations without its methods',
    { session: { revocations: { revoke: () => 1 } } },
    'session.revocations',
    /expected a store with these methods, which it does not have: getRevocations, listRevocations/
  ],
  [
    'revocations that are no store',
    { session: { revocations: true } },
    'session.revocations',
    /expected false or an object/
  ],
  [
    'a misspelt option of sessions',
    { session: { revocation: false } },
    'session.revocation',
    /did you mean session.revocations/
  ],
  [
    'an empty secret for session tokens',
    { jwt: { secret: '' } },
    'jwt.secret',
    /expected a secret, got nothing; leave it out/
  ],
  ['no secret for session tokens in a list', { jwt: { secret: [] } }, 'jwt.secret', /expected a secret, got nothing/],
  [
    'a short secret for session tokens',
    { jwt: { secret: 'short' } },
    'jwt.secret',
    /at least 32 characters, got 5/,
    production
  ],
  [
    'no adapter for database sessions',
    { session: { strategy: 'database' } },
    'adapter',
    /expected an adapter, got nothing: session\.strategy/
  ],
  [
    'an adapter without methods',
    { adapter: {} },
    'adapter',
    /expected these methods.*getUserByAccount.*deleteSession; add them/
  ],
  [
    'an adapter that was not called',
    { adapter: () => ({}) },
    'adapter',
    /expected an object, got a function; call it$/
  ],
  ['an adapter that was not waited for', { adapter: Promise.resolve({}) }, 'adapter', /got a promise; await it$/],
  ['a nested option that there is not', { session: { maxage: 1 } }, 'session.maxage', /did you mean session\.maxAge\?/],
  [
    'a cookie that there is not',
    { cookies: { session: {} } },
    'cookies.session',
    /no such option; there are sessionToken, callbackUrl/
  ],
  [
    'a strategy that there is not',
    { session: { strategy: 'redis' } },
    'session.strategy',
    /expected "jwt" or "database", got another text/
  ],
  ['an age of no time', { session: { maxAge: 0 } }, 'session.maxAge', /expected a number of seconds above 0, got 0$/],
  [
    'an age that is a text',
    { session: { maxAge: '30d' } },
    'session.maxAge',
    /expected a number of seconds above 0, got text/
  ],
  [
    'an age that never ends',
    { jwt: { maxAge: Number.POSITIVE_INFINITY } },
    'jwt.maxAge',
    /expected a number of seconds above 0/
  ],
  ['a number that is a text', { session: { maxAge: '3600' } }, 'session.maxAge', /got text; write it without quotes$/],
  ['a group that is a list', { session: [] }, 'session', /expected an object, got a list of 0/],
  [
    '__Host- with a domain',
    { cookies: { csrfToken: { name: '__Host-csrf', options: { secure: true, path: '/', domain: 'app.test' } } } },
    'cookies.csrfToken',
    /the prefix __Host- needs .* no domain/
  ],
  [
    '__Secure- without secure',
    { cookies: { sessionToken: { name: '__Secure-sid', options: { path: '/' } } } },
    'cookies.sessionToken',
    /the prefix __Secure- needs options\.secure: true/
  ],
  [
    'SameSite=None without secure',
    { cookies: { state: { name: 'st', options: { sameSite: 'none' } } } },
    'cookies.state',
    /sameSite: 'none' needs options\.secure: true/
  ],
  [
    'a cookie with a space in its name',
    { cookies: { nonce: { name: 'a b' } } },
    'cookies.nonce',
    /expected a name without spaces/
  ],
  [
    'two cookies of one name',
    { cookies: { state: { name: 'a' }, nonce: { name: 'a' } } },
    'cookies.nonce',
    /two cookies have this name; give one of them another/
  ],
  ['cookies without secure on https', { useSecureCookies: 'yes' }, 'useSecureCookies', /expected true or false/]
]
