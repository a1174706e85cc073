/** A test user of the demo's identity provider. */
export interface Person {
  readonly id: string
  readonly name: string
  readonly email: string
  readonly colour: string
}

export const people: readonly Person[] = [
  { id: 'ada', name: 'Ada Lovelace', email: 'ada@example.com', colour: '#7a4fd0' },
  { id: 'grace', name: 'Grace Hopper', email: 'grace@example.com', colour: '#0f7f6e' },
  { id: 'alan', name: 'Alan Turing', email: 'alan@example.com', colour: '#b3541e' }
]

export function findPerson(id: string): Person | null {
  return people.find((person) => person.id === id) ?? null
}

/** The path of a user's picture. */
export function picturePath({ id }: Person): string {
  return `/people/${id}.svg`
}

/** The user's initials in a circle. */
export function picture({ name, colour }: Person): string {
  const initials = name.replace(/[^A-Z]/g, '')
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 64 64"><circle cx="32" cy="32" r="32" fill="${colour}"/><text x="32" y="41" fill="#fff" font-family="system-ui, sans-serif" font-size="26" text-anchor="middle">${initials}</text></svg>`
}
