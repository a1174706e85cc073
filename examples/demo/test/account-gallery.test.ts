import { createRenderer } from '@postern/pages'
import { findBrokenRules } from '@postern/testkit/screen-rules'
import t from 'tap'
import { createAccountGallery } from '../src/account-gallery/account-gallery.ts'
import { setUpFeatures } from '../src/account-gallery/set-up-features.ts'
import { openDemo } from './open-demo.ts'

t.test('the gallery lists every screen and mail of an account', async (t) => {
  const features = await setUpFeatures()
  t.same([...features.keys()].toSorted(), ['account', 'factors', 'passkey', 'password'])
  const gallery = await createAccountGallery('Postern demo')
  const shown = new Set(Object.values(gallery.pages).map(({ id }) => id))
  const screens = [...features].flatMap(([id, { screens = [] }]) => screens.map(({ name }) => `${id}/${name}`))
  t.same([...shown].toSorted(), screens.toSorted())
  const mails = [...features].flatMap(([id, { mails = [] }]) => mails.map(({ name }) => `mail-${id}-${name}`))
  t.same(Object.keys(gallery.mails).toSorted(), mails.toSorted())
  t.ok(screens.length >= 35 && mails.length >= 25, `${screens.length} screens, ${mails.length} mails`)

  const demo = await openDemo(t)
  const open = async (path: string): Promise<string> => (await fetch(demo.url + path)).text()
  const list = await open('/screens?language=ar&scheme=dark')
  for (const name of [...Object.keys(gallery.pages), ...Object.keys(gallery.mails)])
    t.match(list, `src="/screens/${name}?language=ar&#38;scheme=dark"`, `${name} is listed`)
  t.match(await open('/screens/account-delete?language=ar&scheme=dark'), '<html lang="ar" dir="rtl">')
  const activity = await open('/screens/account-activity?language=ar')
  t.match(activity, '<bdi>2001:db8::1</bdi>', 'the parts of an address keep their order')
  const mail = '/screens/mail-account-new-device'
  const policy = (await fetch(demo.url + mail)).headers.get('content-security-policy')
  t.match(policy, /default-src 'none'.*; sandbox /, 'a mail runs nothing')
  t.match(await open(`${mail}?language=de`), '<html lang="de"')
  const text = await open(`${mail}-text`)
  t.match(text, /Firefox \(Linux\), on .*\n\n.*\n\n.*\n\nhttp:/)
  t.notMatch(text, '{', 'every placeholder has a value')
})

/** Fails if a screen reads a value that its sample lacks. */
function withoutGaps<T extends object>(props: T, name: string): T {
  return new Proxy(props, {
    get: (values, key) => {
      if (typeof key === 'string' && key !== 'toJSON' && !(key in values))
        throw new Error(`${name}: the sample has no ${key}`)
      const value: unknown = Reflect.get(values, key)
      return typeof value === 'object' && value !== null ? withoutGaps(value, name) : value
    }
  })
}

t.test('every sample is shown by the component of its screen, and has all values', async (t) => {
  const errors: unknown[] = []
  const renderer = await createRenderer({ logger: { error: (_code, facts) => errors.push(facts) } })
  const theme = {
    logo: '',
    brandColor: '',
    buttonText: '',
    name: '',
    radius: '',
    font: '',
    colorScheme: 'auto',
    links: { support: 'mailto:help@example.com' }
  } as const
  const context = {
    basePath: '/screens',
    origin: 'http://localhost',
    siteName: 'Postern demo',
    siteUrl: 'http://localhost',
    theme
  }
  const { pages, mails } = await createAccountGallery('Postern demo')
  const seen = new Map<string, string>()
  for (const [name, page] of Object.entries(pages)) {
    const complete = { ...page, props: withoutGaps(page.props, name) }
    await renderer.prepare({ languages: [] }, complete)
    const html = renderer.page(complete, context)
    t.notMatch(html, /undefined|\[object|\{\w+\}/, name)
    t.same(findBrokenRules(html, { support: 'mailto:help@example.com' }), [], `${name} is no dead end`)
    // Features share some texts.
    const state = `${page.id} ${html}`
    t.equal(seen.get(state), undefined, `${name} is a state of its own`)
    seen.set(state, name)
  }
  t.same(errors, [])
  for (const [name, mail] of Object.entries(mails))
    t.notMatch(renderer.featureMail(mail, context, { languages: [] }).html, /undefined|\{\w+\}/, name)
})
