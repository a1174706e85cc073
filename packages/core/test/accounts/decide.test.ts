import t from 'tap'
import { decide, type Known } from '../../src/accounts/decide.ts'
import type { AdapterUser } from '../../src/adapter/adapter.ts'
import type { AccountType } from '../../src/model/account.ts'

const proven = new Date('2029-01-01')
const user = (id: string, emailVerified: Date | null): AdapterUser => ({
  id,
  email: `${id}@example.com`,
  emailVerified
})
const [ada, bob, eve] = [user('ada', proven), user('bob', proven), user('eve', null)]
const nobody: Known = {
  current: null,
  owner: null,
  namesake: null,
  isUnclaimed: false,
  isEmailVerified: false,
  mayLinkByEmail: false
}

const cases: readonly (readonly [type: AccountType, when: string, known: Partial<Known>, then: string])[] = [
  ['oauth', 'nobody is known', {}, 'create'],
  ['oidc', 'nobody is known', { isEmailVerified: true }, 'create'],
  ['oauth', 'the account has an owner', { owner: ada }, 'sign-in ada'],
  ['oauth', 'the owner is signed in', { current: ada, owner: ada }, 'sign-in ada'],
  ['oauth', 'somebody else is signed in', { current: bob, owner: ada }, 'refuse'],
  ['oauth', 'a signed-in user adds an account', { current: bob }, 'link bob'],
  [
    'oauth',
    'a signed-in user adds an account with the address of another',
    { current: bob, namesake: ada },
    'link bob'
  ],
  [
    'oauth',
    'the owner counts before the address',
    { owner: bob, namesake: ada, mayLinkByEmail: true, isEmailVerified: true },
    'sign-in bob'
  ],
  ['oauth', 'only the e-mail address matches', { namesake: ada }, 'refuse'],
  [
    'oauth',
    'only the address matches, of a user without any account, unproven',
    { namesake: eve, isUnclaimed: true },
    'refuse'
  ],
  [
    'oauth',
    'a first sign-in was cut off, the address is proven',
    { namesake: eve, isUnclaimed: true, isEmailVerified: true },
    'link eve'
  ],
  [
    'oauth',
    'a user who signs in by e-mail only has the address',
    { namesake: ada, isUnclaimed: true, isEmailVerified: true },
    'refuse'
  ],
  ['email', 'the address is not known', {}, 'create'],
  ['email', 'the address is known', { namesake: ada }, 'sign-in ada'],
  ['email', 'the address is known and unproven', { namesake: eve }, 'sign-in eve'],
  ['email', 'somebody else is signed in', { current: bob, namesake: ada }, 'sign-in ada'],
  ['email', 'somebody is signed in and the address is new', { current: bob }, 'create']
]

function told(type: AccountType, known: Partial<Known>): string {
  const decision = decide(type, { ...nobody, ...known })
  return 'user' in decision ? `${decision.kind} ${decision.user.id}` : decision.kind
}

for (const [type, when, known, then] of cases) {
  t.test(`${type}: ${when} → ${then}`, async (t) => {
    t.equal(told(type, known), then)
  })
}

for (const mayLinkByEmail of [true, false]) {
  for (const isEmailVerified of [true, false]) {
    for (const namesake of [ada, eve]) {
      const then = mayLinkByEmail && isEmailVerified && namesake === ada ? 'link ada' : 'refuse'
      const when = `allowed ${mayLinkByEmail}, proven to the provider ${isEmailVerified}, proven to us ${namesake === ada}`
      t.test(`linking by address: ${when} → ${then}`, async (t) => {
        t.equal(told('oauth', { mayLinkByEmail, isEmailVerified, namesake }), then)
      })
    }
  }
}

t.test('a provider account that belongs to somebody is never moved', async (t) => {
  for (const mayLinkByEmail of [true, false]) {
    for (const isEmailVerified of [true, false]) {
      for (const namesake of [null, ada, bob, eve]) {
        const decision = told('oauth', {
          current: bob,
          owner: ada,
          namesake,
          mayLinkByEmail,
          isEmailVerified,
          isUnclaimed: true
        })
        t.equal(decision, 'refuse')
      }
    }
  }
})
