import t from 'tap'
import { decideLinking, type LinkingContext } from '../../src/accounts/linking-policy.ts'
import type { FoundUser } from '../../src/adapter/store.ts'
import { noUserVersion } from '../../src/adapter/user-version.ts'
import type { AccountPolicy } from '../../src/model/provider-traits.ts'

const proven = new Date('2029-01-01')
const user = (id: string, emailVerified: Date | null): FoundUser => ({
  user: { id, email: `${id}@example.com`, emailVerified },
  version: noUserVersion(id)
})
const [ada, bob, eve] = [user('ada', proven), user('bob', proven), user('eve', null)]
const empty: LinkingContext = {
  current: null,
  owner: null,
  userWithEmail: null,
  isInvited: false,
  isEmailVerified: false,
  mayLinkByEmail: false
}

const cases: readonly (readonly [policy: AccountPolicy, when: string, known: Partial<LinkingContext>, then: string])[] =
  [
    ['link', 'no user is known', {}, 'create'],
    ['link', 'no user is known, the address is verified', { isEmailVerified: true }, 'create'],
    ['link', 'the account has an owner', { owner: ada }, 'sign-in ada'],
    ['link', 'the owner is signed in', { current: ada, owner: ada }, 'sign-in ada'],
    ['link', 'another user is signed in', { current: bob, owner: ada }, 'refuse'],
    ['link', 'a signed-in user adds an account', { current: bob }, 'link bob'],
    [
      'link',
      'a signed-in user adds an account with the address of another',
      { current: bob, userWithEmail: ada },
      'link bob'
    ],
    [
      'link',
      'the owner counts before the address',
      { owner: bob, userWithEmail: ada, mayLinkByEmail: true, isEmailVerified: true },
      'sign-in bob'
    ],
    ['link', 'only the email address matches', { userWithEmail: ada }, 'refuse'],
    [
      'link',
      'only a verified address matches an unverified one',
      { userWithEmail: eve, isEmailVerified: true },
      'refuse'
    ],
    ['link', 'the user is invited', { userWithEmail: eve, isInvited: true, isEmailVerified: true }, 'reclaim eve'],
    ['link', 'a verified user is invited', { userWithEmail: ada, isInvited: true, isEmailVerified: true }, 'join ada'],
    ['link', 'the user is invited, the address unverified', { userWithEmail: eve, isInvited: true }, 'refuse'],
    [
      'link',
      'the invited user is not the one who is signed in',
      { current: bob, userWithEmail: eve, isInvited: true, isEmailVerified: true },
      'link bob'
    ],
    ['mailbox', 'the address is not known', {}, 'create'],
    ['mailbox', 'the address is known', { userWithEmail: ada }, 'sign-in ada'],
    ['mailbox', 'the address is known and unverified', { userWithEmail: eve }, 'reclaim eve'],
    ['mailbox', 'another user is signed in', { current: bob, userWithEmail: ada }, 'sign-in ada'],
    ['mailbox', 'a user is signed in and the address is new', { current: bob }, 'create']
  ]

function describeDecision(policy: AccountPolicy, context: Partial<LinkingContext>): string {
  const decision = decideLinking(policy, { ...empty, ...context })
  return 'found' in decision ? `${decision.kind} ${decision.found.user.id}` : decision.kind
}

for (const [policy, when, context, then] of cases) {
  t.test(`join-1: ${policy}: ${when} → ${then}`, async (t) => {
    t.equal(describeDecision(policy, context), then)
  })
}

for (const mayLinkByEmail of [true, false]) {
  for (const isEmailVerified of [true, false]) {
    for (const userWithEmail of [ada, eve]) {
      const then = mayLinkByEmail && isEmailVerified && userWithEmail === ada ? 'join ada' : 'refuse'
      const when = `allowed ${mayLinkByEmail}, proven to the provider ${isEmailVerified}, proven to us ${userWithEmail === ada}`
      t.test(`join-5: linking by address: ${when} → ${then}`, async (t) => {
        t.equal(describeDecision('link', { mayLinkByEmail, isEmailVerified, userWithEmail }), then)
      })
    }
  }
}

t.test('join-1: a provider account that belongs to a user is never moved', async (t) => {
  for (const mayLinkByEmail of [true, false]) {
    for (const isEmailVerified of [true, false]) {
      for (const userWithEmail of [null, ada, bob, eve]) {
        const decision = describeDecision('link', {
          current: bob,
          owner: ada,
          userWithEmail,
          mayLinkByEmail,
          isEmailVerified,
          isInvited: true
        })
        t.equal(decision, 'refuse')
      }
    }
  }
})
