import t, { type Test } from 'tap'
import { type ExitApplication, type Method, openExitApplication, type Setup, Visitor } from './exit-application.ts'
import { base } from './password-application.ts'

/** Seconds after which a sign-in is no longer recent. */
const stale = 660

const everything: Setup = {
  methods: ['oauth', 'oidc', 'silent', 'email', 'password', 'passkeySignUp', 'form'],
  policy: 'optional',
  hasMailer: true,
  isTrusted: true,
  strategy: 'database'
}
const setups: Readonly<Record<string, Setup>> = {
  'every method': everything,
  'no email, and addresses that are not verified': {
    ...everything,
    methods: everything.methods.filter((method) => method !== 'email'),
    isTrusted: false
  }
}

/** What a user who has signed up with a method confirms with. A provider without ID Tokens does not state when its users authenticated. */
const own: Readonly<Record<Method, readonly string[]>> = {
  ...{ oauth: [], email: [], silent: ['silent'], oidc: ['oidc'], form: ['form'] },
  ...{ password: ['password'], passkey: ['passkey'], passkeySignUp: ['passkey'] }
}

const screens = [
  ...['/account', '/account/profile', '/account/email', '/account/devices', '/account/activity', '/account/data'],
  ...['/account/delete', '/password', '/passkeys', '/factors', '/verify?max_age=600&callbackUrl=/']
]

const hasPasskey = (ways: readonly string[]): boolean => ways.includes('passkey')

/** The methods that the forms of a page sign in with. */
function getMethods(page: Awaited<ReturnType<Visitor['browser']['open']>>): readonly string[] {
  const actions = page
    .html()
    .querySelectorAll('form')
    .map((form) => form.getAttribute('action') ?? '')
  return actions.flatMap((action) => /\/(?:signin|callback)\/([^/?]+)$/.exec(action)?.[1] ?? [])
}

/** Opens every screen as a user who has some ways to sign in. */
async function checkScreens(t: Test, visitor: Visitor, ways: readonly string[]): Promise<void> {
  for (const path of screens) {
    const page = await visitor.browser.followAll(await visitor.browser.open(base + path))
    const text = page.html().querySelector('main')?.text ?? ''
    const name = `${visitor.method} with ${ways}: ${path}`
    t.notMatch(text, /sign in by email|create an account|new here/i, name)
    t.notMatch(page.html().querySelector('title')?.text, /^Error/, `${name}: nothing went wrong`)
    if (!ways.includes('password')) t.notMatch(text, /change your password/i, name)
    t.equal(page.html().querySelectorAll('input[type=email]:not([hidden]):not([id=email])').length, 0, name)
    const offered = getMethods(page).filter((method) => method !== 'mailed-code')
    const isStepUp = text.includes('Confirm that it is you') && page.url.includes('/verify')
    t.same(offered.toSorted(), isStepUp ? ways.toSorted() : [], name)
    if (isStepUp) t.ok(getMethods(page).includes('mailed-code'), `${name}: their mailbox`)
    if (/verif\w+ your email|verified email/i.test(text)) {
      const link = page.html().querySelector('a[href$="/account/email"]')
      t.equal(link?.text, 'Confirm your email address', `${name}: there the address is verified`)
    }
  }
}

async function testUser(t: Test, app: ExitApplication, setup: Setup, method: Method): Promise<void> {
  const visitor = new Visitor(app, setup, method)
  await visitor.signUp()
  if (!t.ok(await visitor.isSignedIn(), `${method}: signs up`)) return
  app.clock.advance(stale)
  await checkScreens(t, visitor, own[method])
  if (hasPasskey(own[method]) || !(await visitor.addPasskey())) return
  app.clock.advance(stale)
  await checkScreens(t, visitor, [...own[method], 'passkey'])
}

for (const [title, setup] of Object.entries(setups))
  t.test(`every screen shows what the user has: ${title}`, async (t) => {
    const app = await openExitApplication(setup)
    t.teardown(app.auth.close)
    for (const method of setup.methods) await testUser(t, app, setup, method)
    t.same([...app.broken], [], 'no page is a dead end')
  })
