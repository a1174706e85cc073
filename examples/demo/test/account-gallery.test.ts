import { createRenderer } from '@postern/pages'
import t from 'tap'
import { createAccountGallery } from '../src/account-gallery/account-gallery.ts'
import { setUpFeatures } from '../src/account-gallery/set-up-features.ts'
import { openDemo } from './open-demo.ts'

t.test('the gallery lists every screen and mail of the account pages', async (t) => {
  const { screens = [], mails = [] } = (await setUpFeatures()).get('account') ?? {}
  const gallery = await createAccountGallery('Postern demo')
  const shown = new Set(Object.values(gallery.pages).map(({ screen }) => screen.name))
  t.same([...shown].toSorted(), screens.map(({ name }) => name).toSorted())
  t.same(
    Object.keys(gallery.mails),
    mails.map(({ name }) => `mail-${name}`)
  )
  t.ok(screens.length >= 13 && mails.length >= 10, `${screens.length} screens, ${mails.length} mails`)

  const demo = await openDemo(t)
  const open = async (path: string): Promise<string> => (await fetch(demo.url + path)).text()
  const list = await open('/screens?language=ar&scheme=dark')
  for (const name of [...Object.keys(gallery.pages), ...Object.keys(gallery.mails)])
    t.match(list, `src="/screens/${name}?language=ar&#38;scheme=dark"`, `${name} is listed`)
  t.match(await open('/screens/account-delete?language=ar&scheme=dark'), '<html lang="ar" dir="rtl">')
  const mail = '/screens/mail-new-device'
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
      if (typeof key === 'string' && !(key in values)) throw new Error(`${name}: the sample has no ${key}`)
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
    colorScheme: 'auto'
  } as const
  const context = { basePath: '/screens', origin: 'http://localhost', siteName: 'Postern demo', theme }
  const { pages, mails } = await createAccountGallery('Postern demo')
  const seen = new Map<string, string>()
  for (const [name, page] of Object.entries(pages)) {
    const complete = { ...page, props: withoutGaps(page.props, name) }
    await renderer.prepare({ languages: [] }, complete)
    const html = renderer.page(complete, context)
    t.notMatch(html, /undefined|\[object|\{\w+\}/, name)
    t.equal(seen.get(html), undefined, `${name} is a state of its own`)
    seen.set(html, name)
  }
  t.same(errors, [])
  for (const [name, mail] of Object.entries(mails))
    t.notMatch(renderer.featureMail(mail, context, { languages: [] }).html, /undefined|\{\w+\}/, name)
})
