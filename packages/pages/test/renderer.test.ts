import { createHash } from 'node:crypto'
import t from 'tap'
import { extractValues } from '../src/extract-values.ts'
import { en, loadTexts, renderer, type Texts } from '../src/index.ts'
import { Site } from '../src/site.ts'
import { getView } from '../src/view.ts'
import { read } from './dom.ts'
import * as sample from './samples.ts'

const de = await loadTexts('de')

t.test('the page asks for one style sheet, which is there and is named after its content', async (t) => {
  const context = sample.createPageContext({ brandColor: '#0a7' })
  const { rel, href = '' } = read(renderer.page(sample.signIn, context)).one('link').attributes
  t.equal(rel, 'stylesheet')
  t.match(href, /^\/api\/auth\/assets\/[\da-f]{16}\.css$/)
  const asset = renderer.asset(href.slice('/api/auth/assets/'.length), context)
  t.equal(asset?.contentType, 'text/css; charset=utf-8')
  const hash = createHash('sha256')
    .update(asset?.body ?? '')
    .digest('hex')
  t.ok(href.endsWith(`/${hash.slice(0, 16)}.css`))
})

t.test('there is no other file', async (t) => {
  const context = sample.createPageContext()
  for (const name of ['', 'x.css', '../secret', '__proto__', '0000000000000000.css'])
    t.equal(renderer.asset(name, context), null)
})

t.test('another theme is another file', async (t) => {
  const href = (brandColor: string): string | undefined =>
    read(renderer.page(sample.signIn, sample.createPageContext({ brandColor }))).one('link').attributes['href']
  t.not(href('#0a7'), href('#a07'))
  t.equal(href('#0a7'), href('#00aa77'), 'the same color is the same file')
})

t.test('the same sign-in methods share a page; others have their own, even if they look alike', async (t) => {
  const site = new Site(sample.createPageContext(), null)
  const template = (page: typeof sample.signIn): unknown => site.template(extractValues(getView(page, en)).view, en)
  const first = template(sample.signIn)
  t.equal(template({ ...sample.signIn, csrfToken: 'another', callbackUrl: '/elsewhere' }), first)
  t.not(template({ ...sample.signIn, error: 'Signin' }), first)
  t.not(template({ ...sample.signIn, ref: 'req-1' }), first)
  t.not(template({ ...sample.signIn, choices: [...sample.choices] }), first)
})

t.test('the cache is bounded, for all languages together: the oldest page is evicted', async (t) => {
  const site = new Site(sample.createPageContext(), null)
  const template = (field: string, texts: Texts = en): unknown =>
    site.template(extractValues(getView({ ...sample.confirm, fields: { [field]: 'x' } }, texts)).view, texts)
  const [first, german] = [template('field'), template('field', de)]
  t.not(first, german)
  for (let number = 2; number < 512; number++) template(`field-${number}`, number % 2 === 0 ? en : de)
  t.equal(template('field'), first, 'still kept')
  t.equal(template('field', de), german)
  template('one-too-many')
  t.equal(template('field', de), german)
  t.not(template('field'), first, 'rendered again')
  t.not(template('field', de), german)
})

t.test('sites do not share state', async (t) => {
  const one = { ...sample.createPageContext(), siteName: 'One' }
  const two = { ...sample.createPageContext(), siteName: 'Two', basePath: '/auth' }
  t.match(read(renderer.page(sample.signIn, one)).one('.lead').text, 'One')
  t.match(read(renderer.page(sample.signIn, two)).one('.lead').text, 'Two')
  t.match(read(renderer.page(sample.signIn, two)).one('link').attributes['href'], /^\/auth\/assets\//)
  t.match(read(renderer.page(sample.signIn, one)).one('.lead').text, 'One')
})
