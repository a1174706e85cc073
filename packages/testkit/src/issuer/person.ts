/** Somebody whom the issuer knows: their claims. */
export interface Person {
  readonly sub: string
  readonly [claim: string]: unknown
}

/** The person who signs in where a test names nobody. */
export const ada: Person = {
  sub: 'ada',
  name: 'Ada Lovelace',
  email: 'ada@example.com',
  email_verified: true,
  picture: 'https://issuer.test/ada.png'
}

const scopeOf: Readonly<Record<string, string>> = {
  name: 'profile',
  given_name: 'profile',
  family_name: 'profile',
  nickname: 'profile',
  preferred_username: 'profile',
  picture: 'profile',
  locale: 'profile',
  email: 'email',
  email_verified: 'email'
}

/** The claims of a person that a scope covers (OpenID Connect Core §5.4); claims of no standard scope always go along. */
export function claimsFor(person: Person, scope: string): Person {
  const scopes = scope.split(' ')
  const covered = Object.entries(person).filter(([claim]) => {
    const needed = scopeOf[claim]
    return needed === undefined || scopes.includes(needed)
  })
  return { ...Object.fromEntries(covered), sub: person.sub }
}
