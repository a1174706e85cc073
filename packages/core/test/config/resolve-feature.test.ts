import t from 'tap'
import type { Feature, FeatureParts } from '../../src/feature.ts'
import { ConfigError, createPostern, type Problem } from '../../src/index.ts'

/** @returns The problems of an application with these features. */
function getProblems(...features: readonly FeatureParts[]): readonly Pick<Problem, 'option' | 'code'>[] {
  try {
    createPostern({
      secret: 'a secret of the tests, 32 characters or more',
      url: 'https://app.test',
      providers: [],
      features: features.map((parts, at) => ({ id: `f${at}`, setup: () => parts }))
    })
    return []
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error
    return error.problems.map(({ option, code }) => ({ option, code }))
  }
}

const fail = (): never => {
  throw new Error('unexpected call')
}

const texts = { en: { text: 'It is locked.' } }
const withError = (code: string): FeatureParts => ({ texts, errors: [{ code, text: 'text' }] })

t.test('a setup that returns a promise is reported, and its rejection does not end the process', async (t) => {
  const rejected = Object(Promise.reject(new Error('rejected')))
  t.same(getProblems(rejected), [{ option: 'features.f0.setup', code: 'PROMISE_NOT_AWAITED' }])
})

t.test('the error codes of features are checked', async (t) => {
  t.same(getProblems(withError('Locked'), withError('Locked2')), [])
  const duplicate = { code: 'FEATURE_ERROR_DUPLICATE' }
  t.same(getProblems(withError('accessdenied')), [{ option: 'features.f0.errors', ...duplicate }], 'a built-in code')
  t.same(getProblems(withError('Locked'), withError('Locked')), [{ option: 'features', ...duplicate }])
  t.same(getProblems(withError('no code')), [{ option: 'features.f0.errors', code: 'INVALID_VALUE' }])
  const lacking = { option: 'features.f0.texts.en', code: 'OPTION_MISSING' }
  t.same(getProblems({ texts, errors: [{ code: 'Locked', text: 'other', next: 'more' }] }), [lacking, lacking])
})

t.test('the error code of an interruption must be declared by its feature', async (t) => {
  const withInterruption = (error: string | undefined): FeatureParts => ({
    ...withError('Locked'),
    interruptions: [{ id: 'lock', order: 400, error, isDue: () => true, show: fail, verify: fail }]
  })
  const problems = (error?: string) =>
    getProblems(withInterruption(error)).filter(({ option }) => option.endsWith('.interruptions'))
  t.same([problems(), problems('Locked')], [[], []])
  for (const error of ['Other', 'locked', 'VerificationRequired', 'AccessDenied', 'a b', ''])
    t.same(problems(error), [{ option: 'features.f0.interruptions', code: 'INVALID_VALUE' }], error)
})

t.test('the texts of a sign-in method must exist', async (t) => {
  const verify = (): never => {
    throw new Error('not called')
  }
  const method = { id: 'key', name: 'Key', type: 'key', verify }
  t.same(getProblems({ texts, signInMethods: [{ ...method, title: 'text', labels: { key: 'text' } }] }), [])
  const problems = getProblems({ texts, signInMethods: [{ ...method, submit: 'use', labels: { key: 'label' } }] })
  t.same(problems, Array(2).fill({ option: 'features.f0.texts.en', code: 'OPTION_MISSING' }))
})

t.test('the links and attributes of the sign-in page are checked', async (t) => {
  const run = (): never => {
    throw new Error('not called')
  }
  const route = (access: 'anyone' | 'user') => ({ method: 'GET', path: '/sign-up', access, run }) as const
  const links = [{ title: 'text', path: '/sign-up' }]
  t.same(getProblems({ texts, routes: [route('anyone')], signInPage: { links } }), [])
  const wrongLink = { option: 'features.f0.signInPage.links', code: 'INVALID_VALUE' }
  t.same(getProblems({ texts, routes: [route('user')], signInPage: { links } }), [wrongLink], 'a page for users')
  t.same(getProblems({ texts, signInPage: { links } }), [wrongLink], 'no page')
  t.same(getProblems({ signInPage: { identifierAttributes: { autocomplete: 'username', onfocus: 'go()' } } }), [
    { option: 'features.f0.signInPage.identifierAttributes', code: 'INVALID_VALUE' }
  ])
  const connect = ['/sign-up']
  t.same(getProblems({ routes: [route('anyone')], signInPage: { connect } }), [])
  const wrongRequest = { option: 'features.f0.signInPage.connect', code: 'INVALID_VALUE' }
  t.same(getProblems({ routes: [route('user')], signInPage: { connect } }), [wrongRequest], 'a route for users')
  t.same(getProblems({ signInPage: { connect: ['/session'] } }), [wrongRequest], 'a route of somebody else')
})

t.test('a feature checks the registration', async (t) => {
  const asked: (string | null)[] = []
  const feature: Feature = {
    id: 'strict',
    check: ({ origin }) => {
      asked.push(origin)
      return origin === null ? [] : ['expected another origin']
    },
    setup: () => ({})
  }
  const options = { providers: [], secret: 'a secret of the tests, 32 characters or more', features: [feature] }
  t.throws(() => createPostern({ ...options, url: 'https://app.test' }), {
    message: /features\.strict: expected another origin/
  })
  createPostern({ ...options, trustHost: ['one.test', 'other.test'] })
  t.same(asked, ['https://app.test', null])
})

t.test('the path of a route is checked in linear time (CWE-1333)', async (t) => {
  const withPath = (path: string): FeatureParts => ({ routes: [{ method: 'GET', path, run: fail }] })
  for (const path of ['/notes', '/notes/:id', '/.well-known/notes', '/notes-2/~a.b_c', `/${'a'.repeat(2000)}`])
    t.same(getProblems(withPath(path)), [], path.slice(0, 40))
  for (const path of ['', '/', 'notes', '/notes/', '/:', '/:1', '/a:b', '/a b', '/../a', `/${'a'.repeat(2000)}!`])
    t.same(getProblems(withPath(path)).length, 1, path.slice(0, 40))
})
