import { type Feature, type PendingSignIn, redirect } from '@postern/core/feature'

/** A feature for tests: a page that every sign-in must pass, and sign-in by a one-time pass. */
export interface TestGate {
  /** Whether the interruption is due. */
  isDue: boolean
  /** The provider whose sign-ins it overlooks, as a method without the gate would; `null` for none. */
  hole: string | null
  /** Runs while the feature is asked whether the interruption is due. */
  whenAsked: (() => Promise<void>) | null
  /** The sign-ins that were asked about, in order. */
  readonly asked: PendingSignIn[]
  readonly ended: { readonly userId: string; readonly sessionId: string | null }[]
  readonly deleted: string[]
  readonly feature: Feature<TestGateApi>
}

export interface TestGateApi {
  /** Creates a pass that signs in the account `pass-<name>` once. */
  readonly createPass: (name: string) => Promise<string>
}

declare module '@postern/core' {
  interface FeatureApis {
    readonly gate: TestGateApi
  }
}

/** Creates the feature. The right answer of the page is `yes`; after `more`, which is right too, it asks again. */
export function createTestGate(isDue: boolean = true, amr: readonly string[] = []): TestGate {
  const gate: TestGate = {
    isDue,
    hole: null,
    whenAsked: null,
    asked: [],
    ended: [],
    deleted: [],
    feature: {
      id: 'gate',
      needs: ['createTicket', 'consumeTicket'],
      setup: (context) => ({
        texts: { en: { title: 'One more step', question: 'Shall we?' }, de: { title: 'Noch ein Schritt' } },
        screens: [
          {
            name: 'ask',
            title: 'title',
            component: async () => null,
            plain: (_props, { question = '' }) => ({
              text: question,
              form: {
                action: '/api/auth/verify/ask',
                submit: 'Continue',
                fields: [{ name: 'answer', label: 'Answer', type: 'text' }]
              }
            })
          }
        ],
        interruptions: [
          {
            id: 'ask',
            order: 400,
            isDue: async (signIn) => {
              gate.asked.push(signIn)
              await gate.whenAsked?.()
              return gate.isDue && signIn.account.provider !== gate.hole
            },
            show: (_signIn, request) => request.screen('ask', {}),
            verify: async (_signIn, request) => {
              const answer = request.body['answer']
              if (answer === 'yes') return { kind: 'passed', amr }
              if (answer === 'more') return { kind: 'continued', result: await request.screen('ask', {}) }
              return request.screen('ask', {}, { status: 403 })
            }
          }
        ],
        signInMethods: [
          {
            id: 'pass',
            name: 'Pass',
            type: 'pass',
            form: { type: 'credentials', fields: [{ name: 'pass', label: 'Pass', type: 'text', attributes: {} }] },
            verify: async ({ body }) => {
              const id = typeof body['pass'] === 'string' ? body['pass'] : ''
              const ticket = id === '' ? null : await context.tickets.read({ kind: 'pass', id })
              if (!ticket) return redirect('/api/auth/signin?error=CredentialsSignin')
              const user = { name: ticket.data, email: `${ticket.data}@example.com` }
              return { kind: 'identity', providerAccountId: `pass-${ticket.data}`, user, emailVerified: true, ticket }
            }
          }
        ],
        onSessionEnd: (ended) => void gate.ended.push(ended),
        onUserDelete: (userId) => void gate.deleted.push(userId),
        exportData: async (userId) => ({ for: userId }),
        api: {
          createPass: async (name) => {
            const id = Buffer.from(context.randomBytes(16)).toString('hex')
            const expires = new Date(context.now() + 60_000)
            await context.tickets.create({ kind: 'pass', id, userId: null, data: name, tries: 0, expires })
            return id
          }
        }
      })
    }
  }
  return gate
}
