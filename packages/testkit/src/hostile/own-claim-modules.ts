import type { Faults } from '../issuer/faults.ts'
import { faulty, type HostileCase, type HostileModules, oneOf } from './hostile-case.ts'

const claims = (changes: Readonly<Record<string, unknown>>): Partial<Faults> => ({
  idTokenClaims: (honest) => ({ ...honest, ...changes })
})

const person = (title: string, changes: Readonly<Record<string, unknown>>): HostileCase =>
  oneOf(title, { userinfo: (honest) => Response.json({ ...honest, ...changes }) })

const status = (code: number): HostileCase => oneOf(`${code}`, { userinfoStatus: code })

/** Faults in claims. */
export const claimModules: HostileModules = {
  'H01 sub empty': faulty({ emptySub: true }),
  'H02 sub that is not a short text': [
    oneOf('a number', claims({ sub: 7 })),
    oneOf('a list', claims({ sub: ['ada'] })),
    oneOf('10 kB', claims({ sub: 'a'.repeat(10_000) })),
    oneOf('with NUL', claims({ sub: 'ada\u0000' })),
    oneOf('not ASCII', claims({ sub: 'adа' }))
  ],
  'H03 azp another client': faulty(claims({ azp: 'another-client' })),
  'H04 iat an hour ahead': faulty({ futureIat: true }),
  'H05 exp 20 seconds ago': faulty({ expired: true }),
  'H18 email_verified that is not true': [
    ...['true', 'false', 1, null, {}].map((value) =>
      person(JSON.stringify(value), { email_verified: value, email: 'eve@example.com' })
    ),
    person('missing', { email_verified: undefined, email: 'eve@example.com' })
  ],
  'H19 email that looks like another': [
    person('homoglyphs', { email: 'аda@example.com' }),
    person('upper case', { email: 'ADA@Example.COM' }),
    person('two addresses', { email: 'eve@evil.test,ada@example.com' }),
    person('a display name', { email: 'Ada <ada@example.com>' }),
    person('line feed', { email: 'eve@evil.test\nbcc: ada@example.com' })
  ],
  'H20 picture that is not a picture': [
    person('javascript:', { picture: 'javascript:alert(1)' }),
    person('data: page', { picture: 'data:text/html,<script>alert(1)</script>' }),
    person('http tracker', { picture: 'http://tracker.evil.test/pixel.gif' })
  ],
  'H21 name with control characters, bidi or 1 MB': [
    person('control characters', { name: 'Ada\u0000\r\n\u001b[31m Lovelace' }),
    person('bidi', { name: '\u202eecalevoL\u202c \u2066Ada\u2069' }),
    person('900 kB', { name: 'Ada '.repeat(225_000) })
  ],
  'H25 identical sub from two providers': faulty({}),
  'H26 userinfo refused after a good token': [401, 403, 429, 500, 503].map(status),
  'H27 ID Token of another user replayed': faulty({})
}
