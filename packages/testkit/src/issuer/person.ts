/** The claims of a user of the issuer. */
export interface Person {
  readonly sub: string
  readonly [claim: string]: unknown
}

/** The user if a test names none. */
export const ada: Person = {
  sub: 'ada',
  name: 'Ada Lovelace',
  email: 'ada@example.com',
  email_verified: true,
  picture: 'https://issuer.test/ada.png'
}

const getScope: Readonly<Record<string, string>> = {
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

/** The claims that a scope covers (OpenID Connect Core §5.4); claims of no standard scope are always included. */
export function claimsFor(person: Person, scope: string): Person {
  const scopes = scope.split(' ')
  const covered = Object.entries(person).filter(([claim]) => {
    const needed = getScope[claim]
    return needed === undefined || scopes.includes(needed)
  })
  return { ...Object.fromEntries(covered), sub: person.sub }
}
