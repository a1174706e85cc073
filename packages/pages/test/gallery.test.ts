import t from 'tap'
import { galleryPage } from '../scripts/gallery/page.ts'
import { read } from './dom.ts'

const groups = [{ name: 'sign-in', files: ['sign-in-en-light-320.png', 'sign-in-de-light-320.png'] }]

t.test('the gallery shows every picture, and which language no speaker has read', async (t) => {
  const unread = [
    ['en', 0],
    ['de', 7]
  ] as const
  const dom = read(galleryPage(groups, unread))
  t.same(
    dom.all('img').map(({ attributes }) => attributes['src']),
    groups[0]?.files
  )
  const captions = dom.all('figcaption').map(({ text }) => text)
  t.same(captions, ['sign-in-en-light-320', 'sign-in-de-light-320 · not read by a speaker'])
  const notes = dom.all('li').map(({ text }) => text)
  t.same(notes, ['en: every text has been read by a speaker', 'de: no speaker has read 7 of its texts yet'])
  t.equal(dom.one('#sign-in').tag, 'h2')
})
