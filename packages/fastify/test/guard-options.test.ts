import { ConfigError, type Problem } from '@postern/core'
import t from 'tap'
import { signInByForm, start } from './start.ts'

const cases: readonly (readonly [title: string, options: unknown, option: string, message: RegExp])[] = [
  [
    'authorized in British letters',
    { authorised: () => false },
    'requireSession.with.authorised',
    /unknown option; did you mean requireSession\.with\.authorized\?$/
  ],
  [
    'authorized in other letters',
    { Authorized: () => false },
    'requireSession.with.Authorized',
    /did you mean requireSession\.with\.authorized\?$/
  ],
  [
    'freshWithin in other letters',
    { freshwithin: 60 },
    'requireSession.with.freshwithin',
    /did you mean requireSession\.with\.freshWithin\?$/
  ],
  [
    'an option of another library',
    { roles: ['admin'] },
    'requireSession.with.roles',
    /unknown option; there are authorized, freshWithin, amr, acr, forProxy$/
  ],
  [
    'a yes in place of a question',
    { authorized: true },
    'requireSession.with.authorized',
    /expected a function, got a boolean$/
  ],
  [
    'a response that was not waited for',
    { authorized: Promise.resolve(true) },
    'requireSession.with.authorized',
    /expected a function, got an object$/
  ],
  ['null for a check', { authorized: null }, 'requireSession.with.authorized', /expected a function, got null$/],
  [
    'a check that is not there',
    { authorized: undefined },
    'requireSession.with.authorized',
    /expected a function, got nothing; omit the option/
  ],
  [
    'a time in words',
    { freshWithin: '10m' },
    'requireSession.with.freshWithin',
    /expected a number of seconds above 0, got a string$/
  ],
  [
    'a time in quotes',
    { freshWithin: '600' },
    'requireSession.with.freshWithin',
    /expected a number of seconds above 0, got a string; write it without quotes$/
  ],
  ['no time', { freshWithin: 0 }, 'requireSession.with.freshWithin', /above 0, got 0$/],
  ['a time that is none', { freshWithin: Number.NaN }, 'requireSession.with.freshWithin', /above 0, got NaN$/],
  [
    'a time that never ends',
    { freshWithin: Number.POSITIVE_INFINITY },
    'requireSession.with.freshWithin',
    /above 0, got Infinity; write at most 100000000000: .*$/
  ],
  [
    'a time that is not there',
    { freshWithin: undefined },
    'requireSession.with.freshWithin',
    /above 0, got nothing; omit the option/
  ],
  ['the check itself', () => false, 'requireSession.with', /expected an object, got a function$/],
  ['a list of roles', ['admin'], 'requireSession.with', /expected an object, got a list of 1$/],
  ['a role', 'admin', 'requireSession.with', /expected an object, got a string$/],
  ['nothing', undefined, 'requireSession.with', /expected an object, got nothing$/],
  ['null', null, 'requireSession.with', /expected an object, got null$/]
]

function getProblems(make: () => unknown): readonly Problem[] {
  try {
    make()
    return []
  } catch (error) {
    if (error instanceof ConfigError) return error.problems
    throw error
  }
}

t.test('a guard that would not protect is refused at creation, with a fix', async (t) => {
  const { app } = await start(t, { instances: 1 })
  for (const [title, options, option, message] of cases) {
    const problems = getProblems(() => Reflect.apply(app.requireSession.with, app.requireSession, [options]))
    t.equal(problems.length, 1, title)
    t.match(problems, [{ option, message }], title)
  }
})

t.test('every error of a guard is reported at once', async (t) => {
  const { app } = await start(t, { instances: 1 })
  const options: object = { authorised: () => false, freshWithin: '10m', authorized: undefined }
  t.throws(() => app.requireSession.with(options), {
    message: /with\.authorised: .*\n.*with\.freshWithin: .*\n.*with\.authorized: /
  })
})

t.test('a guard that is called, where it was to be handed over, stops the registration of the route', async (t) => {
  const { app } = await start(t, { instances: 1 })
  const message = /pass the guard without calling it, as \{ onRequest: requireSession \}/
  const given = [[], [{ authorized: () => true }], [() => true], ['admin'], [{ headers: {} }], [null, null]]
  for (const guard of [app.requireSession, app.requireSession.with({ freshWithin: 60 })]) {
    for (const args of given) {
      t.match(
        getProblems(() => Reflect.apply(guard, app, args)),
        [{ option: 'requireSession', message }]
      )
    }
  }
})

t.test('a guard that asks for nothing beyond a session asks for a session', async (t) => {
  const { app, browser } = await start(t, { instances: 1 })
  app.get('/plain', { onRequest: app.requireSession.with({}) }, async () => ({ ok: true }))
  t.equal((await browser.request('GET', '/plain', { headers: { accept: 'application/json' } })).status, 401)
  await signInByForm(browser)
  t.same(await browser.json('/plain'), { ok: true })
})

t.test('what a guard asks for is settled when it is made', async (t) => {
  const { app, browser } = await start(t, { instances: 1 })
  const options: { authorized?: () => boolean } = { authorized: () => false }
  app.get('/settled', { onRequest: app.requireSession.with(options) }, async () => ({ secret: 7 }))
  delete options.authorized
  await signInByForm(browser)
  t.equal((await browser.request('GET', '/settled', { headers: { accept: 'application/json' } })).status, 403)
})
