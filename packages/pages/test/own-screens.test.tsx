import type { ReactElement } from 'react'
import t from 'tap'
import {
  Button,
  builtIn,
  Card,
  CsrfField,
  createRenderer,
  Heading,
  Notice,
  Problem,
  ProviderButton,
  renderer,
  type ScreenProps,
  type Screens,
  Ways
} from '../src/index.ts'
import { hiddenFields, read } from './dom.ts'
import * as sample from './samples.ts'

const context = sample.createPageContext()

/** A sign-in page as an application writes it, of Postern’s parts its own and. */
function MySignIn({ view, context, texts }: ScreenProps<'signin'>): ReactElement {
  return (
    <Card context={context}>
      <Heading text={`${context.siteName}: ${texts.signIn.heading}`} />
      <p className="mine">{view.callbackUrl.toUpperCase()}</p>
      <form action="/own" method="post">
        <CsrfField csrfToken={view.csrfToken} />
        {view.choices.map(
          (choice) => choice.type === 'oauth' && <ProviderButton key={choice.id} {...{ choice, texts }} />
        )}
        <Button label="Go" />
      </form>
      <Ways view={view} texts={texts} />
    </Card>
  )
}

t.test('a screen of the application is drawn in the same document, with the visitor’s own values', async (t) => {
  const own = await createRenderer({ screens: { SignIn: MySignIn } })
  const dom = read(own.page({ ...sample.signIn, error: 'Signin' }, context))
  const builtInDom = read(renderer.page(sample.signIn, context))
  t.equal(dom.one('h1').text, 'app.example.com: Sign in')
  t.equal(dom.one('.mine').text, 'HTTPS://APP.EXAMPLE.COM/AFTER?A=1&B=2', 'not a place for it')
  t.same(hiddenFields(dom)[0], ['/own', { csrfToken: 'token-1' }])
  for (const tag of ['html', 'title', 'link', 'body', '.signin'])
    t.same(dom.one(tag).attributes, builtInDom.one(tag).attributes, tag)
  t.ok(dom.one('.card').ancestors[0]?.classes.includes('signin'))
  t.ok(dom.has('.notice'))
})

const greeted: (string | null)[] = []

function MyWelcome({ view }: ScreenProps<'welcome'>): ReactElement {
  greeted.push(view.user)
  return <p>{view.user}</p>
}

t.test('it is rendered for every request, and its values are escaped', async (t) => {
  const own = await createRenderer({ screens: { Welcome: MyWelcome } })
  for (const user of ['Ada', 'Bob', 'Ada']) t.match(own.page({ ...sample.welcome, user }, context), `<p>${user}</p>`)
  t.same(greeted, ['Ada', 'Bob', 'Ada'])
  t.match(own.page({ ...sample.welcome, user: '<b>' }, context), '<p>&lt;b&gt;</p>')
})

t.test('screens that the application does not replace are built in, and cached', async (t) => {
  const own = await createRenderer({ screens: { SignIn: MySignIn, SignOut: undefined } })
  for (const page of sample.pages.filter(({ name }) => name !== 'signin'))
    t.equal(own.page(page, context), renderer.page(page, context))
})

const error = new Error('this screen is broken')

function Broken(): ReactElement {
  throw error
}

const broken: Screens = Object.fromEntries(Object.keys(builtIn).map((name) => [name, Broken]))

t.test('if a screen throws, the built-in one is shown, and the error is logged', async (t) => {
  const logged: unknown[] = []
  const logger = { error: (code: string, metadata: unknown) => void logged.push([code, metadata]) }
  const own = await createRenderer({ screens: broken, logger })
  for (const page of sample.pages) {
    t.equal(own.page(page, context), renderer.page(page, context))
    t.same(logged.pop(), ['SCREEN_ERROR', { screen: page.name, name: 'Error', message: error.message }])
  }
  t.same(logged, [])
})

const later = new Promise<string>((resolve) => setTimeout(resolve, 10, 'later'))

function Late(): ReactElement {
  throw later
}

t.test('a screen that is not ready at once counts as one that throws', async (t) => {
  const logged: unknown[] = []
  const logger = { error: (code: string) => void logged.push(code) }
  const own = await createRenderer({ screens: { Welcome: Late }, logger })
  t.equal(own.page(sample.welcome, context), renderer.page(sample.welcome, context))
  t.same(logged, ['SCREEN_ERROR'])
  await later
})

/** The built-in screen, and something of Postern’s below it. */
function MyConfirm(props: ScreenProps<'confirm'>): ReactElement {
  return (
    <Card context={props.context}>
      <builtIn.Confirm {...props} />
      <Notice explanation={{ text: 'Stop.', next: 'Think.' }} tone="calm" />
    </Card>
  )
}

t.test('a built-in screen may be part of one of the application', async (t) => {
  const own = await createRenderer({ screens: { Confirm: MyConfirm } })
  const dom = read(own.page(sample.confirm, context))
  t.equal(dom.one('.notice').text, 'Stop. Think.')
  t.same(hiddenFields(dom), hiddenFields(read(renderer.page(sample.confirm, context))))
  t.equal(dom.one('h1').text, 'Is this you?')
})

/** The sample of docs/screens.md. */
function Sample({ view, context, texts }: ScreenProps<'signin'>): ReactElement {
  return (
    <Card context={context}>
      <Heading text="Good to see you" />
      <Ways view={view} texts={texts} />
    </Card>
  )
}

/** A screen with forms of the application's own. */
function WithoutWays({ view, context, texts }: ScreenProps<'signin'>): ReactElement {
  return (
    <Card context={context}>
      <Problem view={view} texts={texts} />
    </Card>
  )
}

t.test('a sign-in screen of the application shows every error once', async (t) => {
  for (const SignIn of [Sample, WithoutWays]) {
    const own = await createRenderer({ screens: { SignIn } })
    for (const error of ['CredentialsSignin', 'EmailSignin', 'OAuthCallback', 'Default'] as const)
      t.equal(read(own.page({ ...sample.signIn, error }, context)).all('.notice').length, 1, `${SignIn.name}: ${error}`)
  }
})
