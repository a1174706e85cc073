import type { Feature, FeatureContext, FeatureParts, FeatureRequest, FeatureScreen } from '@postern/core/feature'
import { getText, redirect, SignInError } from '@postern/core/feature'
import type { FormProps } from './form-screen.tsx'
import { type TextKey, texts } from './texts.ts'

declare module '@postern/core/feature' {
  interface FeatureApis {
    readonly pin: { createPass(userId: string): Promise<string> }
  }
}

const forms = {
  set: { field: 'pin', title: 'pin', text: 'setText', path: '/pin' },
  enter: { field: 'pin', title: 'enter', text: 'enterText', path: '/verify/pin' },
  'sign-in': { field: 'pass', title: 'signIn', text: 'signInText', path: '/callback/pass' }
} as const

const createScreen = ([name, { title }]: [string, { title: TextKey }]): FeatureScreen<FormProps, TextKey> => ({
  name,
  title,
  component: async () => (await import('./form-screen.tsx')).FormScreen,
  plain: ({ action, field, text, problem }, texts) => ({
    text: texts[problem ?? text],
    form: { action, submit: texts.continue, fields: [{ name: field, label: texts[field], type: 'password' }] }
  })
})

function show(name: keyof typeof forms, request: FeatureRequest, problem: TextKey | null = null) {
  const { path, ...form } = forms[name]
  const props: FormProps = { ...form, action: request.basePath + path, problem }
  return request.screen(name, props, { status: problem ? 400 : 200 })
}

const getPin = (userId: string, { factors }: FeatureContext) => factors.get({ type: 'pin', id: userId })

async function savePin(request: FeatureRequest, context: FeatureContext) {
  const { userId } = await request.requireUser()
  const pin = getText(request.body, 'pin') ?? ''
  if (pin !== '' && !/^\d{4,12}$/.test(pin)) return show('set', request, 'format')
  const factor = { type: 'pin', id: userId, userId, name: null, data: pin, lastUsedAt: null, version: 0 }
  const known = await getPin(userId, context)
  if (pin === '') await context.factors.delete(factor)
  else if (known) await context.factors.update({ ...known, data: pin }, known.version)
  else await context.factors.create({ ...factor, createdAt: new Date(context.now()) })
  await context.events.add([context.createEvent(pin === '' ? 'pin-removed' : 'pin-set', { userId, request })])
  return redirect(`${request.origin}${request.basePath}/account`)
}

const createInterruptions = (context: FeatureContext): FeatureParts['interruptions'] => [
  {
    id: 'pin',
    order: 200,
    isDue: async ({ user, isNewUser }) => !isNewUser && (await getPin(user.id, context)) !== null,
    show: (_signIn, request) => show('enter', request),
    verify: async ({ user }, request) => {
      await context.limit('pin', user.id, { points: 20, seconds: 3600 })
      const pin = getText(request.body, 'pin') ?? ''
      const stored = await getPin(user.id, context)
      const key = context.key('pin')
      if (stored && (await key.verify(pin, await key.hash(stored.data)))) return 'passed'
      await context.events.add([context.createEvent('pin-wrong', { userId: user.id, request })])
      return show('enter', request, 'wrong')
    }
  }
]

/** Signs in with a pass, whose ticket is consumed when the sign-in completes. */
const createSignInMethods = (context: FeatureContext): FeatureParts['signInMethods'] => [
  {
    id: 'pass',
    name: 'Pass',
    type: 'credentials',
    accountPolicy: 'application',
    start: (request) => show('sign-in', request),
    verify: async (request) => {
      const key = { kind: 'pass', id: await context.key('pass').hash(getText(request.body, 'pass') ?? '') }
      const user = await context.users.getUser((await context.tickets.read(key))?.userId ?? '')
      if (!user) throw new SignInError('CredentialsSignin', 'the pass is unknown, was used or has expired')
      return { kind: 'identity', providerAccountId: user.id, user, ticket: key }
    }
  }
]

/** @returns A pass, which signs in as the user once, within ten minutes. */
async function createPass(userId: string, context: FeatureContext): Promise<string> {
  const pass = Buffer.from(context.randomBytes(16)).toString('base64url')
  const ticket = { kind: 'pass', id: await context.key('pass').hash(pass), userId, data: '', tries: 0 }
  await context.tickets.create({ ...ticket, expires: new Date(context.now() + 600_000) })
  return pass
}

/** @param options.passOnRequest - Whether every user gets a pass on request, and so may remove the last account. */
export function pin(options: { readonly passOnRequest?: boolean } = {}): Feature {
  return {
    id: 'pin',
    options,
    schema: { passOnRequest: 'boolean' },
    needs: ['getFactor', 'createFactor', 'updateFactor', 'deleteFactor', 'createTicket', 'addEvents'],
    setup: (context) => ({
      screens: Object.entries(forms).map(createScreen),
      texts,
      routes: [
        { method: 'GET', path: '/pin', run: (request) => show('set', request) },
        { method: 'POST', path: '/pin', run: (request) => savePin(request, context) }
      ],
      signInMethods: createSignInMethods(context),
      interruptions: createInterruptions(context),
      accountSections: [{ id: 'pin', order: 500, title: 'pin', path: '/pin' }],
      waysIn: () => (options.passOnRequest ? 1 : 0),
      exportData: async (userId) => ({ pinCreatedAt: (await getPin(userId, context))?.createdAt ?? null }),
      api: { createPass: (userId: string) => createPass(userId, context) }
    })
  }
}
